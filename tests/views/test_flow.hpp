#pragma once

#include <QObject>

class TestFlow : public QObject {
    Q_OBJECT
private slots:
    void lines_fit_and_never_overlap_data();
    void lines_fit_and_never_overlap();
    void decades();
    void values_are_the_runs();
    void history_grows_and_joins_branches();
    void a_click_selects_and_is_checked();
    void a_run_that_is_left_is_let_go_of();
    void a_run_without_gradients_says_so();
    void every_size_is_painted();
};
