#pragma once

#include "views/tensor/tensor_geometry.hpp"
#include "views/tensor/tensor_shown.hpp"
#include "views/theme/color_map.hpp"

#include <optional>
#include <vector>

namespace gradus {

/// Everything that is painted in a frame, what is large by reference.
struct TensorScene {
    const TensorShown& shown;
    const TensorGeometry& geometry;
    const Theme& theme;
    const ColorMap& map;
    const std::vector<Dim>& pinned;  ///< index of the pinned element; empty: none
    const std::vector<Dim>& hovered; ///< and of the hovered one
    std::vector<QRectF> touched;     ///< where the lanes of the step at the cursor are at work
    std::optional<double> candidate; ///< what dragging would make of the pinned one
    double pulled_from = 0;          ///< and what it was: the views show already what it would be

    bool pictures() const { return geometry.contents.form == TensorContents::Form::pictures; }
};

/// The map that a tensor's values are shown with: signed where something is negative.
ColorMap map_for(const TensorStatistics& statistics, const Theme& theme);

/// Where an element is on the map; null if it is not.
QRectF rect_of(const TensorGeometry& geometry, const TensorModel& model, const std::vector<Dim>& index);
/// Where elements are, by their places in row order: neighbours in a row as one.
std::vector<QRectF> rects_of(const TensorGeometry& geometry, const TensorModel& model, const std::vector<std::int64_t>& places);
/// The index of the element under a point; empty where there is none.
std::vector<Dim> element_at(const TensorGeometry& geometry, const TensorModel& model, QPointF point);
/// The two numbers that the ends of the legend say, with ≥ and ≤ where values lie beyond: upper, lower.
std::pair<QString, QString> legend_ends(const TensorStatistics& statistics);

} // namespace gradus
