#pragma once

#include "engine/core/shape.hpp"

#include <array>
#include <optional>

namespace gradus {

using Strides = std::array<Dim, Shape::max_rank>; ///< elements from one index to the next, per axis

/// Where a tensor's elements lie in its buffer: element (i, j, …) at offset + i·strides[0] + j·strides[1] + … elements.
struct Layout {
    Shape shape;
    Strides strides{};
    Dim offset = 0; ///< elements
};

/// One element after another in row-major order, from the buffer's start.
Layout contiguous_layout(const Shape& shape);
/// Whether the elements lie one after another in row-major order, wherever they begin.
bool is_contiguous(const Layout& layout);
/// Elements a buffer must hold for the layout to lie in it; 0 for a tensor without elements.
Dim extent_of(const Layout& layout);
/// Whether two indices may name one element, as after a broadcast (stride 0).
bool may_overlap(const Layout& layout);
/// The same elements in the same row-major order under another shape, or nothing where no strides give them so.
/// `shape` must have as many elements. Axes that stay keep their names where `shape` gives them none.
std::optional<Layout> reshaped(const Layout& layout, const Shape& shape);
/// `shape` with the names of the axes of `from` that a reshape leaves as they are.
Shape with_names_of(const Shape& from, const Shape& shape);

} // namespace gradus
