#pragma once

#include <QColor>
#include <QPainter>

namespace gradus {

/// A filled rectangle with round corners, for boxes of many pixels: only the corners ask line by line how far they reach.
void fill_rounded(QPainter& painter, const QRect& box, int radius, const QColor& colour);

/// Its outline with the painter's pen, at a tenth of what it costs as one path: the sides are straight.
void outline_rounded(QPainter& painter, const QRectF& box, double radius);

} // namespace gradus
