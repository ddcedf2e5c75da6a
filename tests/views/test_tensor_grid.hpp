#pragma once

#include <QObject>

/// A tensor that is a function on a grid of points.
class TestTensorGrid : public QObject {
    Q_OBJECT
private slots:
    void the_picture_is_true_to_the_axes_data();
    void the_picture_is_true_to_the_axes();
    void ticks_stand_where_their_numbers_are_data();
    void ticks_stand_where_their_numbers_are();
    void the_axes_are_the_runs();
    void level_lines_carry_their_values();
    void another_tensor_has_indices();
};
