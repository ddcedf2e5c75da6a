#pragma once

#include <QObject>

class TestRoofline : public QObject {
    Q_OBJECT
private slots:
    void roofs_bend_at_their_knees();
    void words_stand_apart_data();
    void words_stand_apart();
    void a_dot_stands_where_its_numbers_are();
    void a_click_goes_to_the_rung();
    void a_single_kernel_has_one_dot();
    void without_arithmetic_it_says_so();
    void what_is_asked_for_is_hidden();
    void every_size_is_painted();
};
