#pragma once

#include <QObject>

class TestListing : public QObject {
    Q_OBJECT
private slots:
    void lines_fit_and_never_overlap_data();
    void lines_fit_and_never_overlap();
    void the_lines_that_are_told_of_stay_data();
    void the_lines_that_are_told_of_stay();
    void a_class_reads_whole_lines();
    void what_is_missing_is_named();
    void a_line_says_what_its_part_took();
    void the_band_goes_with_the_cursor();
    void a_click_goes_to_the_part();
    void a_line_that_is_left_out_says_so();
    void without_a_listing_it_says_so();
    void a_step_is_whole_in_the_width_a_stage_gives();
    void every_size_is_painted();
};
