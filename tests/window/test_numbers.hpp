#pragma once

#include <QObject>

/// What stands on screen is in the Run, with its provenance, and in what the commands write.
class TestNumbers : public QObject {
    Q_OBJECT

private slots:
    void a_hundred_numbers_picked_at_random_are_in_the_run();
    void the_last_step_is_in_what_the_commands_write();
    void written_numbers_are_read();
};
