#pragma once

#include "engine/core/shape.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gradus {

/// The index of the element that stands at this place in row order: (i, j) of place i·columns + j. `place` is inside.
std::vector<Dim> index_of(const Shape& shape, Dim place);

/// Its place in row order; none for an index that has not one number per axis, or one outside its axis.
std::optional<Dim> place_of(const Shape& shape, std::span<const Dim> index);

/// The same for an index that somebody wrote: throws ArgumentError naming the tensor, the index and the shape.
Dim place_of(const Shape& shape, std::span<const Dim> index, std::string_view tensor);

} // namespace gradus
