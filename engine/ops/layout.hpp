#pragma once

#include "engine/autograd/tape.hpp"

#include <initializer_list>
#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> layout_ops();

/// Ops that change where elements lie and under which shape, never a value; any type. Those called views compute nothing: their
/// output shows elements of the input's buffer. Axis numbers are not negative. Each throws ShapeError where it cannot be done.
namespace ops {

/// A view of the same elements in the same row-major order under another shape; where strides cannot say so, the tape copies the
/// input first. Attributes: rank, sizes; one size may be -1, the one that fits. Axes that stay keep their names.
const Op& reshape();
/// A view with two axes exchanged: y_..j..i.. = x_..i..j... Attributes: the two axes.
const Op& transpose();
/// A view with its axes in another order: axis i of the output is axis attributes[1 + i] of the input. Attributes: rank, axes.
const Op& permute();
/// A view of every step-th index from `from` until `until` (exclusive) of one axis. Attributes: axis, from, until, step >= 1.
/// x (…, n, …) -> (…, ⌈(until - from) / step⌉, …), 0 <= from <= until <= n.
const Op& slice();
/// A view that repeats axes of size 1, and new ones in front, without a copy (stride 0). Attributes: rank, sizes; -1 keeps a
/// size. Its gradient sums over what was repeated.
const Op& expand();

/// A copy whose elements lie one after another in row-major order.
const Op& contiguous();
/// Two to eight tensors (one, too) one after the other along an axis; the other sizes are equal. Attribute: the axis.
const Op& concat();
/// One to eight pieces along an axis, copied. Attributes: axis, number of pieces, their sizes, which sum up to the axis' size.
const Op& split();
/// Zeros with x put at a slice: the gradient of slice, and without one of its own. Attributes: slice's four and the axis' size.
const Op& slice_backward();

} // namespace ops

/// Attributes of the ops above.
Attributes reshape_to(std::initializer_list<Dim> sizes);
Attributes reshape_to(const Shape& shape); ///< for expand and sum_to, too
Attributes permute_to(std::initializer_list<int> axes);
Attributes slice_of(int axis, Dim from, Dim until, Dim step = 1);
Attributes split_into(int axis, std::initializer_list<Dim> sizes);
/// A reshape that takes away an axis of size 1. Throws ShapeError for another size.
Attributes squeeze(const Shape& shape, int axis);
/// A reshape that puts an axis of size 1 before axis `axis` (at the end for axis = rank).
Attributes unsqueeze(const Shape& shape, int axis);

} // namespace gradus
