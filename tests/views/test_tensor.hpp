#pragma once

#include <QObject>

/// What a tensor's view shows, and where.
class TestTensor : public QObject {
    Q_OBJECT
private slots:
    void everything_stays_inside_data();
    void everything_stays_inside();
    void one_row_is_drawn_once_data();
    void one_row_is_drawn_once();
    void zoom_reaches_the_whole_and_the_single_cell();
    void cells_are_the_runs_values_data();
    void cells_are_the_runs_values();
    void averages_keep_outliers_and_faults();
    void state_is_shown_as_the_step_began_with_it();
    void what_the_cursor_has_not_reached_comes_later();
    void with_nothing_selected_the_first_parameter();
    void the_legend_says_where_it_clips();
    void what_is_not_finite_is_a_fault();
    void sizes_from_one_pixel_to_4k();
    void a_megapixel_is_painted_in_a_frame();
};
