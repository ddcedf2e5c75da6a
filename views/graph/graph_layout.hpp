#pragma once

#include "views/graph/graph_geometry.hpp"

#include <memory>
#include <utility>

namespace gradus {

/// Everything that the picture of a graph follows from.
struct GraphWish {
    std::shared_ptr<const Run> run;
    std::vector<std::string> open; ///< modules
    QRectF area;
    bool sparse = false;
    bool backward = false;                     ///< one stands in the backward pass or the update
    std::shared_ptr<const GraphModel> model;   ///< kept if it still fits; null: made anew
    bool fits = false;                         ///< it is known to: only its numbers have changed
    std::shared_ptr<const GraphValues> values; ///< of that model; may be null
    StepReach cursor;
    Ruler ruler = Ruler::none;
    std::uint64_t number = 0; ///< of the wish
};

/// A graph with a place for each of its boxes.
struct PlacedGraph {
    std::shared_ptr<const GraphModel> model;
    std::shared_ptr<const GraphValues> values; ///< that stand in the boxes; null if there are none
    GraphGeometry geometry;
    QRectF area;
    StepReach cursor;
    std::uint64_t number = 0; ///< of the wish it fulfils
};

/// The first of the rows of boxes there is room for, those of what one stands on, and how many they are.
std::pair<int, int> rows_shown(const GraphWish& wish);

/// Chooses what there is room for, and places it. The same wish gives the same picture; boxes keep their order and row as
/// modules open, for a column is counted along the forward pass.
PlacedGraph place(const GraphWish& wish);

} // namespace gradus
