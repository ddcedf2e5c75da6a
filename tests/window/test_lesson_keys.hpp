#pragma once

#include <QObject>

/// A whole lesson without a pointer.
class TestLessonKeys : public QObject {
    Q_OBJECT

private slots:
    void the_first_lesson_by_keyboard_alone();
    void the_learning_rate_by_keys_makes_a_branch();
    void another_lesson_by_keyboard();
    void an_answer_is_seen_on_stage_and_stays();
    void space_presses_the_button_one_came_to_with_tab_and_plays_elsewhere();
};
