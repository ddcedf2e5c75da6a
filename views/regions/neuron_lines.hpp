#pragma once

#include "views/regions/neuron_marks.hpp"
#include "views/theme/theme.hpp"

#include <QPainter>
#include <QString>

namespace gradus {

/// "0.45·x₁ − 1.2·x₂ + 0.3 = 0"
QString line_equation(const NeuronLine& line);

/// "h₁" for the first.
QString neuron_name(std::size_t neuron);

/// All lines of a field, each with an arrow to its positive side and its neuron's name there; and in words, beside the points,
/// what has no line: a neuron of one sign, cells that are not finite.
void paint_neuron_lines(QPainter& painter, const RegionField& field, const RegionGeometry& geometry, const Theme& theme);

} // namespace gradus
