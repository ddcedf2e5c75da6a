#pragma once

#include "views/text/rich_layout.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Draws a text with its upper left corner at `origin`; what lies outside `clip` is left out. Words are in `ink`.
void paint_rich(QPainter& painter, const RichGeometry& geometry, QPointF origin, const QRectF& clip, const Theme& theme,
                const QColor& ink);

} // namespace gradus
