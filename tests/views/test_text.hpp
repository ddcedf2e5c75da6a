#pragma once

#include <QObject>

class TestText : public QObject {
    Q_OBJECT
private slots:
    void formulas_are_read_data();
    void formulas_are_read();
    void mistakes_name_their_place_data();
    void mistakes_name_their_place();
    void no_input_breaks_the_reader();
    void more_is_wider_data();
    void more_is_wider();
    void parts_are_in_place();
    void scripts_stay_readable();
    void lines_of_a_formula_end_outside_brackets();
    void live_numbers_stand_in_formulas();
    void markdown_is_read_data();
    void markdown_is_read();
    void one_baseline_for_all();
    void a_particle_stands_close_to_code();
    void lines_end_at_spaces_data();
    void lines_end_at_spaces();
    void wide_formulas_are_cut();
    void controls_come_after_their_paragraph();
    void numbers_change_in_place();
    void cards_are_read_whole_data();
    void cards_are_read_whole();
};
