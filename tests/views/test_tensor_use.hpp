#pragma once

#include <QObject>

/// A tensor under the hand: cards, pulls, keys, pictures and slices.
class TestTensorUse : public QObject {
    Q_OBJECT
private slots:
    void the_card_says_what_made_a_number();
    void a_cell_that_a_kernel_wrote_says_from_what();
    void a_pull_edits_the_element_under_it();
    void only_parameters_can_be_pulled();
    void keys_move_the_pinned_element();
    void pictures_are_the_rows_of_x();
    void slices_of_higher_ranks();
    void what_no_lane_wrote_is_no_fault();
    void lanes_at_work_are_outlined();
    void nothing_to_show_is_said();
};
