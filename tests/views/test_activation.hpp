#pragma once

#include <QObject>

class TestActivation : public QObject {
    Q_OBJECT
private slots:
    void panels_fit_and_show_what_is_in_use_data();
    void panels_fit_and_show_what_is_in_use();
    void places_are_pixels();
    void a_selection_means_an_element_data();
    void a_selection_means_an_element();
    void the_mark_is_what_the_run_recorded();
    void the_curves_are_the_engines();
    void what_is_not_kept_is_not_marked();
    void beyond_the_axes_and_no_numbers();
    void a_prediction_covers_the_mark();
    void runs_and_layers_without_one_say_so();
    void every_size_is_painted();
};
