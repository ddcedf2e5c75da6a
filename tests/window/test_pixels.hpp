#pragma once

#include <QObject>

/// What is on screen follows from the state and the Runs alone.
class TestPixels : public QObject {
    Q_OBJECT

private slots:
    void undo_everything_and_redo_everything_gives_the_same_pictures();
    void undoing_a_step_goes_back_although_the_run_has_grown();
    void a_saved_state_opened_anew_gives_the_same_pixels_data();
    void a_saved_state_opened_anew_gives_the_same_pixels();
};
