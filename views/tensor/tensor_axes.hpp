#pragma once

#include "views/tensor/tensor_scene.hpp"

#include <QPainter>
#include <QString>

namespace gradus {

/// The name that the tensor's shape gives an axis; empty for none and for axis -1.
QString axis_name(const TensorModel& model, int axis);

/// Along the lower and the left edge of the map: first and last index, the pinned one bold, the axis' name.
void paint_axes(QPainter& painter, const TensorScene& scene);

} // namespace gradus
