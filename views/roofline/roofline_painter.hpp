#pragma once

#include "views/roofline/roofline_geometry.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Everything that stands in a picture of a roofline.
struct RooflinePicture {
    RooflineModel model;
    RooflineGeometry geometry;
    QRectF told; ///< below the plot: the rung one stands on, in words; null: no room
};

void lay_out_roofline(RooflinePicture& picture, const QRectF& area, bool sparse);
/// "3.76 FLOP/B"
QString intensity_text(const RooflineDot& dot);
constexpr double dot_radius = 4.5; ///< pixels; a class sees it larger
void paint_roofline(QPainter& painter, const RooflinePicture& picture, const Theme& theme, bool sparse);

} // namespace gradus
