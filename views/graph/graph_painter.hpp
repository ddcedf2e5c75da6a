#pragma once

#include "views/graph/graph_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <QStringList>

namespace gradus {

/// Whether in boxes that are high enough for shapes each parameter's stands, too.
bool matrices_have_shapes(const GraphGeometry& geometry);

/// Boxes, arrows, names and shapes: what stays the same from frame to frame.
void paint_structure(QPainter& painter, const GraphGeometry& geometry, const Theme& theme);
/// The numbers, and the outlines of the hovered and the selected box.
void paint_values(QPainter& painter, const GraphGeometry& geometry, const Theme& theme, std::string_view hovered,
                  std::string_view selected, bool measures = true);

/// What stands for the names of ops where their boxes are too narrow for them: "@: matmul".
QStringList symbols_shown(const GraphGeometry& geometry);

/// What each box says of its cost, as it is written: "2.10 MFLOP", a bar before it where it has its mark; empty where there is no room.
QStringList costs_shown(const GraphGeometry& geometry);

/// Where a box's number stands, and what it is covered with while it must not be seen.
QRectF value_line(const GraphItem& item);

} // namespace gradus
