#pragma once

#include "views/activation/activation_geometry.hpp"
#include "views/activation/activation_model.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <optional>
#include <vector>

namespace gradus {

/// Everything that stands in a picture of activations.
struct ActivationPicture {
    std::shared_ptr<const ActivationCurves> curves; ///< null: none yet
    ActivationGeometry geometry;
    std::size_t in_use = 0;               ///< the function that is marked
    std::optional<ActivationPoint> point; ///< on the marked curve
};

/// Where the mark of a point stands: at the edge where it lies beyond the axes; null where it is no number.
QRectF mark_of(const ActivationGeometry::Panel& panel, const ActivationPoint& point);
/// The point's numbers in the header of its panel, the derivative in a corner of the plot where they are too long; empty
/// where there is no room.
struct PointNumbers {
    QString text = {}, slope = {};
    QRectF rect = {}, slope_rect = {};
    QRectF all() const { return rect.united(slope_rect); }
};
PointNumbers numbers_of(const ActivationGeometry::Panel& panel, const ActivationPoint& point);

/// The curves with their axes: all but the point.
void paint_activations(QPainter& painter, const ActivationPicture& picture, const Theme& theme);
/// The Run's point with its numbers, if there is one.
void paint_point(QPainter& painter, const ActivationPicture& picture, const Theme& theme);
/// Where one points at a curve: its z, a and derivative.
void paint_pointed(QPainter& painter, const ActivationGeometry::Panel& panel, const ActivationCurve& curve, std::size_t at, const Theme& theme);

} // namespace gradus
