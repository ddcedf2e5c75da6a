#pragma once

#include <QObject>

class TestNeuron : public QObject {
    Q_OBJECT
private slots:
    void everything_has_its_place_data();
    void everything_has_its_place();
    void a_class_sees_the_weights_large();
    void the_neuron_is_the_selected_one_data();
    void the_neuron_is_the_selected_one();
    void bars_stand_on_zero();
    void images_and_numbers_are_the_runs();
    void a_click_chooses();
    void a_prediction_hides_the_images_and_the_bars();
    void a_run_without_images_says_so();
    void every_size_is_painted();
};
