#pragma once

#include "views/theme/theme.hpp"
#include "views/timeline/op_table.hpp"
#include "views/timeline/timeline_geometry.hpp"

#include <QPainter>

namespace gradus {

/// Axis, grid, row names and bars: what stays the same while the pointer moves.
void paint_timeline(QPainter& painter, const TimelineModel& model, const TimelineGeometry& geometry, const Theme& theme);
/// An outline round an item: 2 px for the cursor's event, 1 px for the hovered one.
void paint_outline(QPainter& painter, const QRectF& item, const QRectF& area, double width, const Theme& theme);
/// The list of ops with their shares.
void paint_op_table(QPainter& painter, const OpTable& table, const OpTableGeometry& geometry, const Theme& theme);

} // namespace gradus
