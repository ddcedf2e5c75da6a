#pragma once

#include <QObject>

class TestTheatre : public QObject {
    Q_OBJECT
private slots:
    void it_lies_inside_at_every_size_data();
    void it_lies_inside_at_every_size();
    void it_shows_what_the_step_does();
    void the_access_under_way_is_marked();
    void a_click_on_a_line_runs_to_it();
    void a_lane_is_gone_into_and_out_of_data();
    void a_lane_is_gone_into_and_out_of();
    void ways_step_there_and_back();
    void a_sector_asks_who_touches_its_word();
    void what_has_no_room_is_told();
    void at_the_bits_the_parts_make_the_result();
    void lanes_that_part_say_where_they_stand();
    void an_access_out_of_bounds_is_underlined_where_it_stands();
    void counts_on_screen_are_the_runs();
    void what_is_allowed_is_the_runs();
    void what_is_written_goes_out_and_comes_back();
    void variables_are_told_in_three_digits();
    void the_editor_grows_with_the_window();
    void without_a_kernel_it_says_so();
    void a_class_reads_it();
    void a_class_reads_what_the_index_is();
    void a_line_too_long_for_a_class_goes_on_below();
    void a_line_that_costs_something_is_read_whole();
    void what_is_asked_of_findings_tells_nothing();
    void a_launch_shows_its_grid();
    void a_class_reads_which_buffer_was_missed();
    void what_was_found_is_read_whole();
    void what_was_found_in_another_block_asks_for_it();
    void what_ends_before_the_recorded_block_is_opened_where_it_ends();
    void a_step_is_shown_within_a_frame_data();
    void a_step_is_shown_within_a_frame();
};
