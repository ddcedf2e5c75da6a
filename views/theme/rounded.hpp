#pragma once

#include <QColor>
#include <QPainter>

namespace gradus {

/// A filled rectangle with round corners, for boxes of many pixels: only the corners ask line by line how far they reach.
/// `hole`: a part away from the corners that is painted over anyway.
void fill_rounded(QPainter& painter, const QRect& box, int radius, const QColor& colour, const QRect& hole = {});

/// The outline of such a box with the painter's pen, which should end flat: straight sides are cheaper than one path.
/// Radii are the same both ways; a box that is too small for them has smaller ones.
void outline_rounded(QPainter& painter, const QRectF& box, double radius);

/// A filled bar whose edges are moved to whole pixels, at least one apart: no rasteriser is asked. In pictures of vectors
/// they stay where they are.
void fill_bar(QPainter& painter, const QRectF& bar, const QColor& colour);

/// The same with a line of one pixel inside its edges.
void fill_bar(QPainter& painter, const QRectF& bar, const QColor& colour, const QColor& line);

} // namespace gradus
