#pragma once

#include <QObject>

class TestHierarchy : public QObject {
    Q_OBJECT
private slots:
    void rows_fit_and_never_overlap_data();
    void rows_fit_and_never_overlap();
    void places_say_what_moves_there();
    void the_event_at_the_cursor_is_counted();
    void a_rung_is_a_bar_and_a_click_goes_there();
    void tiles_move_with_the_step();
    void a_step_is_shown_within_a_frame();
    void what_is_asked_for_is_hidden();
    void without_a_kernel_it_says_so();
    void every_size_is_painted();
};
