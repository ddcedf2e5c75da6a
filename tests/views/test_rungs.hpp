#pragma once

#include <QObject>

class TestRungs : public QObject {
    Q_OBJECT
private slots:
    void lines_are_cut_where_words_end_data();
    void lines_are_cut_where_words_end();
    void everything_lies_inside_and_apart_data();
    void everything_lies_inside_and_apart();
    void counts_are_those_of_the_command_line_data();
    void counts_are_those_of_the_command_line();
    void the_largest_change_stands_out();
    void what_changed_in_the_source_is_marked();
    void one_cursor_goes_through_both_and_back();
    void both_lines_are_in_sight();
    void a_line_of_either_side_is_run_to();
    void the_bar_is_a_way_to_a_share();
    void any_two_rungs_are_compared();
    void keys_do_what_the_pointer_does();
    void without_steps_it_says_so();
    void what_is_asked_for_is_hidden();
    void every_size_is_painted();
};
