#pragma once

#include <QObject>

class TestGraph : public QObject {
    Q_OBJECT
private slots:
    void boxes_fit_and_never_overlap_data();
    void boxes_fit_and_never_overlap();
    void boxes_grow_where_there_is_room();
    void arrows_start_and_end_at_boxes();
    void no_tip_lies_under_a_ring();
    void wires_keep_apart();
    void heads_of_straight_and_bent_arrows_do_not_touch();
    void a_straight_arrow_makes_room_for_a_bent_one();
    void where_boxes_are_narrow_no_two_wires_are_one_data();
    void where_boxes_are_narrow_no_two_wires_are_one();
    void parameters_aside_share_one_head();
    void no_wire_touches_a_box_of_others_data();
    void no_wire_touches_a_box_of_others();
    void costs_of_one_graph_are_written_alike_data();
    void costs_of_one_graph_are_written_alike();
    void a_cost_has_its_mark_before_its_unit();
    void where_rows_are_near_wires_stay_apart();
    void names_are_whole_or_symbols();
    void where_a_class_sits_shapes_stand_before_rows_to_come();
    void a_cover_lies_inside_its_outline();
    void first_lesson_shows_every_meaning();
    void folds_to_the_width_data();
    void folds_to_the_width();
    void values_are_the_runs();
    void what_is_fed_has_a_box_and_constants_their_values();
    void deep_net_is_laid_out_elsewhere();
    void work_is_hidden_without_the_norm();
    void work_of_a_kind_is_hidden_forward_and_backward();
    void what_one_stands_on_has_run();
    void an_update_shows_where_it_writes();
    void a_branch_says_what_its_edit_reaches();
    void a_module_stays_closed_where_its_ops_could_not_be_read();
};
