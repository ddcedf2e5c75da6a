#pragma once

#include "views/probabilities/probability_picture.hpp"

#include <QSizeF>
#include <array>

namespace gradus {

/// What the names of the triangle's parts need, pixels.
struct TriangleLabelSizes {
    QSizeF p, dz, update;
    std::array<QRectF, 3> corners; ///< where the classes' names stand
};

/// Where those names stand: clear of points, arrows, each other and the corners' names. Null where there is no room, and what has
/// no room to be an arrow has no name.
struct TriangleLabels {
    QRectF p, dz, update;
};

TriangleLabels place_triangle_labels(const ProbabilityPicture& picture, const TriangleLabelSizes& sizes);

constexpr double triangle_dot = 6; ///< radius of p and of the ring of y, pixels

} // namespace gradus
