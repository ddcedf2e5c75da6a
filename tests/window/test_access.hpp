#pragma once

#include <QObject>

/// Everything by keyboard and for screen readers: the accessibility tree, the items of every view, the table of keys.
class TestAccess : public QObject {
    Q_OBJECT

private slots:
    void every_control_has_a_name_and_a_role_data();
    void every_control_has_a_name_and_a_role();
    void the_larger_lab_is_read_as_well();
    void every_item_lies_in_its_view_data();
    void every_item_lies_in_its_view();
    void items_are_read_with_value_and_provenance();
    void items_are_walked_and_chosen_by_key();
    void the_ring_is_where_the_keyboard_is();
    void tab_reaches_every_control();
    void every_key_of_the_table_does_what_it_says();
    void the_nearest_item_that_way_is_found();
};
