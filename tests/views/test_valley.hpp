#pragma once

#include <QObject>

class TestValley : public QObject {
    Q_OBJECT
private slots:
    void everything_stands_inside_data();
    void everything_stands_inside();
    void coordinates_go_both_ways();
    void arrows_are_as_long_as_the_numbers();
    void the_first_arrow_uphill_fits_data();
    void the_first_arrow_uphill_fits();
    void arrows_of_a_bowl_are_named_data();
    void arrows_of_a_bowl_are_named();
    void names_of_axes_stand_apart_data();
    void names_of_axes_stand_apart();
    void numbers_above_are_whole();
    void names_of_futures_stand_apart_data();
    void names_of_futures_stand_apart();
    void edges_say_what_lies_beyond();
    void round_numbers();
    void values_are_the_runs();
    void parts_of_the_step_come_one_by_one();
    void the_picture_holds_still_while_it_plays();
    void a_drag_edits_the_parameters();
    void escape_puts_it_back();
    void a_branch_keeps_the_parents_trail();
    void a_prediction_hides_the_walk();
    void futures_stand_where_they_end();
    void other_runs_say_so();
    void every_size_is_painted();
};
