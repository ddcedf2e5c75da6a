#pragma once

#include <QObject>

class TestClass : public QObject {
    Q_OBJECT

private slots:
    void what_is_under_a_cover_does_not_depend_on_it_data();
    void what_is_under_a_cover_does_not_depend_on_it();
    void without_a_cover_it_would_be_seen();
    void the_mouse_learns_nothing();
    void a_curve_ends_before_the_prepared_step();
    void the_cover_goes_with_the_answer();
    void the_lab_is_shown_larger();
    void f5_and_esc();
    void a_clicker_goes_through_parts_and_questions();
    void home_and_blank();
    void a_vote_is_counted_closed_and_kept_out_of_everything();
    void the_back_row_can_read_it_data();
    void the_back_row_can_read_it();
    void captions_are_short();
};
