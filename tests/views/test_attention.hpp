#pragma once

#include <QObject>

/// Attention tile by tile: what of a recorded block is shown, where, and what a click on it does.
class TestAttention : public QObject {
    Q_OBJECT

private slots:
    void it_lies_inside_at_every_size_data();
    void it_lies_inside_at_every_size();
    void it_is_drawn_larger_where_there_is_room();
    void where_rows_have_no_room_those_at_work_are_seen();
    void a_narrow_one_has_its_sums();
    void a_class_reads_less_and_larger();
    void a_class_sees_shared_memory_before_a_row_has_met_a_tile();
    void a_rescaling_adds_up_as_it_is_written();
    void it_follows_the_cursor_through_the_tiles();
    void a_click_goes_to_a_tile();
    void a_factor_that_is_asked_for_is_hidden();
    void blocks_that_were_done_stay();
    void a_query_is_told_of_alone();
    void tiles_that_the_mask_hides_are_skipped();
    void a_lanes_key_and_dimension_are_marked();
    void other_rungs_show_their_passes();
    void a_ledger_has_all_its_rows_where_they_fit_closely();
    void without_a_record_it_says_so();
};
