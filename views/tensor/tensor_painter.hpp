#pragma once

#include "views/tensor/tensor_scene.hpp"

#include <QImage>
#include <QPainter>

namespace gradus {

/// Cells as an image, at most `pixels` large; what is not finite in the colour of a fault.
QImage heat_image(const CellSource& source, const CellWindow& window, QSize pixels, double outlier, const ColorMap& map,
                  const QColor& fault);

/// The same, drawn.
void paint_heat(QPainter& painter, const QRectF& where, const CellSource& source, const CellWindow& window, double outlier, const ColorMap& map,
                const QColor& fault);

/// Heat map or pictures, overview, legend: what stays the same while one only points.
void paint_map(QPainter& painter, const TensorScene& scene);
/// Frame, axis names and indices, outlines of the pinned and the hovered element.
void paint_marks(QPainter& painter, const TensorScene& scene);
/// The sentence under the map: what a pixel is and, if it fits into so many pixels, where the colours end; the legend
/// says the latter too.
QString caption_of(const TensorScene& scene, double room);
/// Of the numbers of the first row, as cells have them, pixels.
double widest_number(const TensorModel& model);
/// A scalar, as large as there is room.
void paint_number(QPainter& painter, const TensorScene& scene);

} // namespace gradus
