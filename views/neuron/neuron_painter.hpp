#pragma once

#include "views/neuron/neuron_picture.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>

namespace gradus {

/// Weights, images and bars with their headings, legend and numbers; what is chosen is marked.
void paint_neuron(QPainter& painter, const NeuronPicture& picture, const Theme& theme);

/// An ink outline with a thread of surface inside and out.
void paint_neuron_outline(QPainter& painter, const QRectF& rect, const Theme& theme, double width);

} // namespace gradus
