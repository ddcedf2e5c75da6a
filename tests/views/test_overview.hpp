#pragma once

#include <QObject>

class TestOverview : public QObject {
    Q_OBJECT
private slots:
    void zoom_keeps_what_is_under_the_pointer_data();
    void zoom_keeps_what_is_under_the_pointer();
    void window_follows_the_cursor();
    void the_usual_window_follows_from_the_step_alone();
    void every_run_comes_down_to_a_series();
    void curve_of_growth_equals_curve_of_all();
    void a_million_steps_cost_a_frame_nothing();
    void bands_fill_their_step_data();
    void bands_fill_their_step();
    void measured_widths_are_the_events();
    void a_typical_step_is_like_most();
    void cursor_stands_on_its_event();
    void event_under_a_point_is_the_event_there();
    void labels_never_overlap_data();
    void labels_never_overlap();
    void forks_leave_their_parent_and_are_named();
    void a_fork_is_named_as_its_control_is();
    void strip_and_list_say_the_same_of_a_fork_data();
    void strip_and_list_say_the_same_of_a_fork();
    void marks_stand_at_their_steps();
    void pressing_goes_there_and_dragging_the_frame_travels();
    void every_size_can_be_drawn_data();
    void every_size_can_be_drawn();
    void a_real_run_can_be_shown_while_it_grows();
};
