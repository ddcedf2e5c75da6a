#pragma once

#include <QObject>

class TestStory : public QObject {
    Q_OBJECT
private slots:
    void scales_go_there_and_back_data();
    void scales_go_there_and_back();
    void scales_step_and_mark();
    void a_verdict_keeps_its_question();
    void a_verdict_cuts_no_answer();
    void a_filled_button_is_whole_or_gone();
    void an_option_shows_its_picture_data();
    void an_option_shows_its_picture();
    void sliders_move();
    void controls_take_and_refuse();
    void one_choice_answers_at_once();
    void sets_are_committed_with_a_button();
    void numbers_are_typed();
    void orders_are_moved();
    void verdicts_are_ink();
    void parts_are_turned();
    void the_column_scrolls_only_down();
    void a_question_shows_all_its_answers_data();
    void a_question_shows_all_its_answers();
    void what_lies_over_its_head_cuts_no_line();
    void mistakes_are_reported_and_shown();
    void all_cards_fit_data();
    void all_cards_fit();
};
