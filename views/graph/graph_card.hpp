#pragma once

#include "views/graph/graph_geometry.hpp"
#include "views/theme/value_card.hpp"

namespace gradus {

/// What hovering a box of the graph tells: its ops with their formulas, shape, bytes, and its numbers with where they come from.
std::vector<ValueCardLine> card_lines(const GraphModel& model, const GraphValues* values, const GraphItem& item);

} // namespace gradus
