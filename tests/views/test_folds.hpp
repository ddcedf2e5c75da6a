#pragma once

#include <QObject>

class TestFolds : public QObject {
    Q_OBJECT
private slots:
    void matrices_stand_in_rows_data();
    void matrices_stand_in_rows();
    void few_matrices_are_large();
    void a_cover_keeps_the_room_of_what_it_hides();
    void brackets_join_what_folds();
    void steps_between_matrices_stand_in_line();
    void pressing_shows_the_folds();
    void a_prediction_hides_them();
    void one_far_number_does_not_pale_the_others();
    void every_size_is_painted();
};
