#pragma once

#include "views/tensor/tensor_scene.hpp"

#include <QPainter>
#include <QString>
#include <vector>

namespace gradus {

/// Where an axis is cut: "head 3 of 8" between two arrows.
struct SliceControl {
    int axis = 0;
    QString text;
    QRectF box, less, more; ///< less and more lie inside the box
};
std::vector<SliceControl> slice_controls(const TensorModel& model, const TensorGeometry& geometry);
/// `active`: the one that the keys step.
void paint_slices(QPainter& painter, const std::vector<SliceControl>& controls, int active, const Theme& theme);

/// The button that offers the other form, with its key.
void paint_toggle(QPainter& painter, const TensorScene& scene);

/// Name in its hue, shape with axis names, and which state it is: as much as has room, the name in any case.
void paint_head(QPainter& painter, const TensorModel& model, const QRectF& line, const Theme& theme);
/// "(in 784, out 256)" as "in 784 × out 256".
QString shape_text(const TensorModel& model, bool names);

} // namespace gradus
