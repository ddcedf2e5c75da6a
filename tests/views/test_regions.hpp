#pragma once

#include <QObject>

class TestRegions : public QObject {
    Q_OBJECT
private slots:
    void the_plane_is_square_data();
    void the_plane_is_square();
    void coordinates_go_both_ways();
    void values_are_the_runs();
    void a_neurons_line_is_where_it_is_zero();
    void a_neurons_mark_is_inside_data();
    void a_neurons_mark_is_inside();
    void an_arrow_keeps_off_a_ring();
    void a_drag_edits_its_point();
    void escape_puts_it_back();
    void runs_without_a_plane_say_so();
    void what_is_not_finite_is_said();
    void every_size_is_painted();
    void futures_stand_side_by_side();
};
