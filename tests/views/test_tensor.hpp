#pragma once

#include <QObject>

class TestTensor : public QObject {
    Q_OBJECT
private slots:
    void color_maps_end_at_their_tokens();
    void color_maps_go_in_even_steps();
    void everything_stays_inside_data();
    void everything_stays_inside();
    void zoom_reaches_the_whole_and_the_single_cell();
    void cells_are_the_runs_values_data();
    void cells_are_the_runs_values();
    void averages_keep_outliers_and_faults();
    void state_is_shown_as_the_step_began_with_it();
    void with_nothing_selected_the_first_parameter();
    void the_legend_says_where_it_clips();
    void what_is_not_finite_is_a_fault();
    void the_card_says_what_made_a_number();
    void a_pull_edits_the_element_under_it();
    void only_parameters_can_be_pulled();
    void keys_move_the_pinned_element();
    void pictures_are_the_rows_of_x();
    void slices_of_higher_ranks();
    void nothing_to_show_is_said();
    void sizes_from_one_pixel_to_4k();
    void a_megapixel_is_painted_in_a_frame();
};
