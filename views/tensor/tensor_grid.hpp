#pragma once

#include "views/tensor/tensor_scene.hpp"

#include <QPainter>
#include <QString>
#include <vector>

namespace gradus {

/// A number at an axis of a grid, and where it stands.
struct GridTick {
    double value = 0, at = 0; ///< at: x of the map for a column, y for a row
};

/// Round numbers along the part of an axis that is on the map, `apart` pixels from each other at least. `across`: of the columns.
std::vector<GridTick> grid_ticks(const TensorGeometry& geometry, const std::vector<double>& values, bool across, double apart);

/// Where the value of a level line is written, in the middle of the line's number; a line that has no room for it is left out.
struct LevelLabel {
    QString text;
    QRectF rect;
};
std::vector<LevelLabel> level_labels(const TensorScene& scene);

/// Lines of one value over the map of a grid, that of 0 bold, with their values.
void paint_levels(QPainter& painter, const TensorScene& scene);
/// The axes of a grid with its own numbers.
void paint_grid_axes(QPainter& painter, const TensorScene& scene);
/// "x₁ 1.08, x₂ −0.5": where an element of a grid stands; empty for another tensor.
QString grid_place(const TensorModel& model, const std::vector<Dim>& index);

} // namespace gradus
