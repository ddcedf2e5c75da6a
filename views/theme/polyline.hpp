#pragma once

#include <QPainter>
#include <span>

namespace gradus {

/// Pixels from a point to the nearest place on a line through `points`; infinite where there are fewer than two.
double distance_to(std::span<const QPointF> points, QPointF point);

/// Dots across, between two rows where lines of code are left out.
void draw_dots(QPainter& painter, double left, double right, double y, const QColor& colour);

} // namespace gradus
