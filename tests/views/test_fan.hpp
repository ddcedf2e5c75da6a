#pragma once

#include <QObject>

class TestFan : public QObject {
    Q_OBJECT

private slots:
    void names_keep_apart_and_inside_data();
    void names_keep_apart_and_inside();
    void ends_in_one_point_have_one_name();
    void the_nearest_line_is_chosen();
    void what_explodes_leaves_the_axis_to_the_others();
    void a_ruler_gives_every_box_of_ops_a_bar();
    void a_chain_is_told_in_words();
};
