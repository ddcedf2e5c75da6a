#pragma once

#include <QObject>

class TestPlots : public QObject {
    Q_OBJECT
private slots:
    void decimation_keeps_extrema_data();
    void decimation_keeps_extrema();
    void decimation_of_growth_equals_decimation_of_all();
    void numbers_that_are_not_finite_break_the_line();
    void means_are_of_what_there_is();
    void only_a_noisy_run_has_a_mean();
    void a_curve_has_the_colour_of_its_numbers();
    void what_the_cursor_has_not_reached_comes_later();
    void curves_that_agree_are_drawn_once_data();
    void curves_that_agree_are_drawn_once();
    void a_million_values_take_a_frame();
};
