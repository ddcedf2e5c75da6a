#pragma once

#include <QObject>

class TestProbabilities : public QObject {
    Q_OBJECT
private slots:
    void a_sure_guess_lies_at_its_corner_data();
    void a_sure_guess_lies_at_its_corner();
    void bars_stand_in_shared_columns_data();
    void bars_stand_in_shared_columns();
    void bars_are_as_high_as_their_numbers();
    void the_logits_axis_has_room_data();
    void the_logits_axis_has_room();
    void the_row_is_the_runs_data();
    void the_row_is_the_runs();
    void items_say_the_runs_numbers();
    void two_decimals_do_not_lose_what_is_there_data();
    void two_decimals_do_not_lose_what_is_there();
    void numbers_are_clear_of_the_outline();
    void the_loss_stands_beside_its_title();
    void the_arrow_goes_from_y_to_p();
    void names_in_the_triangle_stand_apart();
    void the_update_is_the_runs();
    void one_number_has_one_form_data();
    void one_number_has_one_form();
    void three_classes_have_room_for_three_digits();
    void the_path_is_the_series();
    void a_pull_edits_its_logit();
    void escape_puts_it_back();
    void a_click_pins_and_a_double_click_asks();
    void a_veil_covers_what_it_names_data();
    void a_veil_covers_what_it_names();
    void what_is_to_come_has_no_number();
    void what_is_to_come_says_so_data();
    void what_is_to_come_says_so();
    void runs_without_probabilities_say_so();
    void every_size_is_painted();
};
