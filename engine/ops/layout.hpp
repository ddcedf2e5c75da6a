#pragma once

#include "engine/autograd/tape.hpp"

#include <initializer_list>
#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> layout_ops();

/// Ops that change where elements lie and under which shape, never a value; of any type: fp16/bf16/fp32/fp64, int32, int64, uint8
/// and bool. Those called views compute nothing: their output shows elements of the input's buffer. Axis numbers are not negative.
/// Data and gradients stay what they are when they are moved. Floating types alone have gradients.
namespace ops {

/// y = x under another shape: a view of the same elements in the same row-major order; where strides cannot say so, the tape
/// copies the input first. Attributes: rank, sizes; one size may be -1, the one that fits. x of any shape and type -> y of the
/// given shape, in the unit of x; axes that stay keep their names. May be empty; a -1 beside a 0 fits nothing. ∂x = ∂y under x's
/// shape.
/// Throws ShapeError for a shape of another number of elements, two -1 or more than 6 axes. Source: torch.reshape.
const Op& reshape();
/// y_..j..i.. = x_..i..j..: a view with two axes exchanged. Attributes: the two axes, which may be one. x of any shape and type
/// -> y with these sizes exchanged, in the unit of x; may be empty. ∂x is ∂y with the same axes exchanged.
/// Throws ShapeError for an axis that x does not have. Source: torch.transpose.
const Op& transpose();
/// y_i… = x with its axes in another order, a view: axis i of the output is axis attributes[1 + i] of the input. Attributes:
/// rank, axes. x of any shape and type -> y with the sizes in that order, in the unit of x; may be empty. ∂x is ∂y in the inverse
/// order.
/// Throws ShapeError unless every axis of x is named once. Source: torch.permute.
const Op& permute();
/// y_i = x_(from + i · step): a view of every step-th index from `from` until `until` (exclusive) of one axis. Attributes: axis,
/// from, until, step >= 1. x (…, n, …) of any type -> y (…, ⌈(until - from) / step⌉, …), 0 <= from <= until <= n, in the unit of
/// x; may be empty. ∂x is ∂y at these indices, else 0 (slice_backward).
/// Throws ShapeError for an axis that x does not have, a range beyond it or a step below 1. Source: NumPy's basic slicing,
/// x[from:until:step].
const Op& slice();
/// y_i…j… = x_0…j…: a view that repeats axes of size 1, and new ones in front, without a copy (stride 0). Attributes: rank,
/// sizes; -1 keeps a size. x of any shape and type -> y of the given shape, in the unit of x; a size may be 0. ∂x sums ∂y over
/// what was repeated (sum_to).
/// Throws ShapeError for fewer axes than x has, more than 6, or another size for an axis that is not 1. Source:
/// torch.Tensor.expand.
const Op& expand();

/// y = x: a copy whose elements lie one after another in row-major order. x of any shape, strides and type -> y of x's shape and
/// type, the same bits, in the unit of x; may be empty. ∂x = ∂y, the tensor itself.
/// Throws nothing. Source: torch.Tensor.contiguous.
const Op& contiguous();
/// y = x_1, x_2, … one after the other along an axis, copied. Attribute: the axis. One to eight tensors (…, n_k, …) of one type,
/// whatever it is, the other sizes equal -> y (…, Σ n_k, …), in their unit; n_k may be 0. ∂x_k is the slice of ∂y at its place.
/// Throws ShapeError for none or more than eight, an axis they do not have, or types, ranks or other sizes that differ. Source:
/// torch.cat.
const Op& concat();
/// y_1, y_2, … = x cut along an axis, copied. Attributes: axis, number of pieces (one to eight), their sizes, which sum up to the
/// axis' size. x (…, n, …) of any type -> y_k (…, n_k, …), in the unit of x; n_k may be 0. ∂x is the ∂y_k one after the other, 0
/// for one without.
/// Throws ShapeError for an axis that x does not have, another number of pieces, or sizes that are negative or sum up to
/// something else. Source: torch.split.
const Op& split();
/// y_(from + i · step) = x_i, else 0, along an axis: the gradient of slice, and without one of its own. Attributes: slice's four
/// (axis, from, until, step) and the axis' size n. x (…, ⌈(until - from) / step⌉, …) of any type -> y (…, n, …), in the unit of
/// x; may be empty.
/// Throws ShapeError for an axis that x does not have, a range beyond n, a step below 1, or an x that is no such slice. Source:
/// the adjoint of NumPy's basic slicing; slice_backward of PyTorch's ATen.
const Op& slice_backward();

} // namespace ops

/// Attributes of the ops above. Throw ShapeError for more than 6 axes, or 8 pieces.
Attributes reshape_to(std::initializer_list<Dim> sizes);
Attributes reshape_to(const Shape& shape); ///< for expand and sum_to, too
Attributes permute_to(std::initializer_list<int> axes);
Attributes slice_of(int axis, Dim from, Dim until, Dim step = 1);
Attributes split_into(int axis, std::initializer_list<Dim> sizes);
/// A reshape that takes away an axis of size 1. Throws ShapeError for another size.
Attributes squeeze(const Shape& shape, int axis);
/// A reshape that puts an axis of size 1 before axis `axis` (at the end for axis = rank). Throws ShapeError
/// for a place there is not.
Attributes unsqueeze(const Shape& shape, int axis);

} // namespace gradus
