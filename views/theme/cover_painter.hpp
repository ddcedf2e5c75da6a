#pragma once

#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// What stands where a prediction hides something: a hatched fill with a dashed edge and a question mark as large as
/// there is room for. Nothing that was painted there before shows through. `line`: width of the edge in pixels.
void paint_cover(QPainter& painter, const QRectF& rect, const Theme& theme, double line = 1);

} // namespace gradus
