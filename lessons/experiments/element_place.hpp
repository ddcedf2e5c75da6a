#pragma once

#include "engine/core/shape.hpp"

#include <string>
#include <vector>

namespace gradus {

/// Where the entry with this index stands in row order. Throws ArgumentError naming the value, the index and the shape
/// for one that is outside.
Dim element_place(const std::string& name, const Shape& shape, const std::vector<Dim>& index);

} // namespace gradus
