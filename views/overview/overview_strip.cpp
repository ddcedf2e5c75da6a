#include "views/overview/overview_strip.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace gradus {

OverviewStrip::OverviewStrip(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme) {
    setMinimumHeight(56);
    setAccessibleName(tr("Whole run"));
}

void OverviewStrip::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void OverviewStrip::present(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor) {
    std::vector<std::int64_t> seen{static_cast<std::int64_t>(selected), cursor, width(), height()};
    for (const auto& run : runs) {
        seen.push_back(run->head());
        seen.push_back(static_cast<std::int64_t>(run->state()));
        seen.push_back(static_cast<std::int64_t>(run->edits().size()));
    }
    if (seen == seen_) return;
    seen_ = std::move(seen);
    selected_ = selected;
    cursor_ = cursor;
    overview_ = make_overview(runs, selected, QRectF(rect()).adjusted(8, 10, -18, -4));
    update();
}

void OverviewStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const OverviewBranch& branch : overview_.branches) {
        const double y = branch.start.y();
        const double from = branch.leaves == branch.start ? branch.start.x() : branch.start.x() + 10;
        painter.setBrush(Qt::NoBrush);
        if (branch.selected || branch.run == 0) { // what is not yet run, pale
            painter.setPen(QPen(theme_.line, 2));
            painter.drawLine(QPointF(std::max(from, branch.recorded), y), QPointF(branch.planned, y));
        }
        painter.setPen(QPen(branch.selected ? theme_.ink : theme_.ink3, branch.selected ? 4 : 2, Qt::SolidLine, Qt::FlatCap));
        if (branch.leaves != branch.start) {
            QPainterPath path(branch.leaves);
            path.cubicTo({branch.leaves.x() + 2, y}, {branch.leaves.x() + 2, y}, {from, y});
            painter.drawPath(path);
        }
        if (branch.recorded > from) painter.drawLine(QPointF(from, y), QPointF(branch.recorded, y));
        painter.setPen(Qt::NoPen);
        painter.setBrush(branch.parameter ? theme_.parameter : theme_.ink);
        if (branch.parameter) painter.drawRect(QRectF(branch.leaves.x() - 4, branch.leaves.y() - 4, 8, 8));
        if (branch.setting) painter.drawEllipse(branch.leaves, 4, 4);
        if (branch.broken) {
            painter.setPen(theme_.fault);
            painter.setFont(text_font(metrics::text, QFont::Bold));
            painter.drawText(QRectF(branch.recorded - 2, y - 9, 18, 18), Qt::AlignCenter, "✕");
        }
    }
    if (cursor_ < 0) return;
    const double x = std::round(overview_.x_of(cursor_));
    painter.setPen(QPen(theme_.ink, 2));
    painter.drawLine(QPointF(x, 6), QPointF(x, height() - 2));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.ink);
    const QPointF cap[3] = {{x - 5, 1}, {x + 5, 1}, {x, 8}};
    painter.drawPolygon(cap, 3);
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) emit cursorMoved(overview_.iteration_at(event->position().x()));
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) { mousePressEvent(event); }

} // namespace gradus
