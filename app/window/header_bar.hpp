#pragma once

#include "engine/trace/run.hpp"
#include "views/theme/theme.hpp"

#include <QLabel>

namespace gradus {

/// The line at the top: the program, the Run and the step one stands in, and what computes it.
class HeaderBar : public QWidget {
    Q_OBJECT

public:
    explicit HeaderBar(QWidget* parent);
    void setTheme(const Theme& theme);
    void present(const Run& run, const QString& title, StepIndex cursor);

private:
    QLabel* name_;
    QLabel* place_;
    QLabel* machine_;
};

} // namespace gradus
