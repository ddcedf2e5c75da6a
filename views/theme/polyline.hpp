#pragma once

#include <QPointF>
#include <span>

namespace gradus {

/// Pixels from a point to the nearest place on a line through `points`; infinite where there are fewer than two.
double distance_to(std::span<const QPointF> points, QPointF point);

} // namespace gradus
