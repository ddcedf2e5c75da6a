#pragma once

#include "views/graph/graph_geometry.hpp"

namespace gradus {

constexpr double under_rows = 26; ///< pixels beneath the last row for arrows that pass there

/// From box to box: straight where they face each other, else with two corners in the space between the rows; from the
/// loss, below which nothing stands, with one. Past those that stand between them in their row (`passes`), beneath it.
std::vector<QPointF> route(const QRectF& from, const QRectF& to, bool from_loss, bool passes);

/// Gives arrows that would lie on each other lines and tips of their own. `targets`: by arrow, the box it ends at.
void part_wires(std::vector<GraphArrow>& arrows, const std::vector<std::size_t>& targets, const std::vector<GraphItem>& items);

} // namespace gradus
