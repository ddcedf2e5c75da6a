#pragma once

#include <QObject>

class TestCovers : public QObject {
    Q_OBJECT
private slots:
    void none_lies_on_another_data();
    void none_lies_on_another();
    void many_come_to_rest();
};
