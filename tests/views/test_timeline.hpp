#pragma once

#include <QObject>

class TestTimeline : public QObject {
    Q_OBJECT
private slots:
    void bars_are_the_events();
    void bars_lie_inside_what_holds_them();
    void a_narrow_phase_has_room_for_its_name();
    void every_bar_is_found_under_its_own_point();
    void zoom_keeps_what_is_under_the_pointer_data();
    void zoom_keeps_what_is_under_the_pointer();
    void keys_and_wheel_zoom_and_zero_shows_all();
    void bars_narrower_than_a_pixel_are_joined_and_counted();
    void a_hundred_thousand_events_take_a_frame();
    void ticks_are_round_and_inside();
    void the_table_accounts_for_all_the_time();
    void the_table_of_all_steps_has_medians();
    void a_click_chooses_the_event();
    void what_was_not_observed_is_said();
    void every_size_can_be_drawn_data();
    void every_size_can_be_drawn();
};
