#pragma once

#include "views/overview/overview_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QWidget>

namespace gradus {

/// The whole run from the first to the last planned step, with its branches. Press or drag to travel.
class OverviewStrip : public QWidget {
    Q_OBJECT

public:
    OverviewStrip(const Theme& theme, QWidget* parent);
    void setTheme(const Theme& theme);
    void present(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor);

signals:
    void cursorMoved(qint64 iteration);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    Theme theme_;
    Overview overview_;
    std::size_t selected_ = 0;
    StepIndex cursor_ = -1;
    std::vector<std::int64_t> seen_;
};

} // namespace gradus
