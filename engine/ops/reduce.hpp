#pragma once

#include "engine/autograd/tape.hpp"

#include <initializer_list>
#include <span>

namespace gradus {

/// Sums, means, extremes and variances over axes, and running sums along one.
std::span<const Op* const> reduce_ops();

/// The attributes of a reduction over these axes (none: over all); `own` is the op's own number, var's correction. Throws
/// ShapeError for more axes than a tensor has.
Attributes reduce_over(std::initializer_list<int> axes, bool keep_axes = false, double own = 0);

/// A reduction's attributes: [0] number of axes, 0 for all of them; [1] 1 if a reduced axis stays, with size 1; [2..7] the
/// axes, from 0 up, no two alike; [8] the op's own number. Every sum is made in double precision, in a grouping that depends on
/// the shape alone: at most some hundred terms are added to one another in a chain, and fp32 results are rounded once.
namespace ops {

/// y = Σ x over the axes of reduce_over(). x of any shape and strides, fp16/bf16/fp32/fp64 -> y of x's shape without these axes,
/// or with size 1 for them, in the unit of x. 0 over none; a NaN stays, ∞ - ∞ is NaN; the result is rounded once. ∂x = ∂y for
/// every element.
/// Throws ShapeError for a type that is not floating, an axis that x does not have or one named twice. Sources: numpy.sum; Higham
/// 1993 (the pairwise grouping).
const Op& sum();
/// y = Σ x / n over the axes of reduce_over(), n elements each. x of any shape and strides, fp16/bf16/fp32/fp64 -> y of x's shape
/// without these axes, or with size 1 for them, in the unit of x. NaN where n = 0, as in PyTorch, or an x is NaN. ∂x = ∂y / n.
/// Throws ShapeError for a type that is not floating, an axis that x does not have or one named twice. Source: torch.mean.
const Op& mean();
/// y = max x over the axes of reduce_over(). x of any shape and strides, fp16/bf16/fp32/fp64 -> y of x's shape without these
/// axes, or with size 1 for them, in the unit of x; NaN where an x is. ∂y is shared out equally among the elements that are y;
/// NaN where y is.
/// Throws ShapeError for a type that is not floating, no elements to choose from, an axis that x does not have or one named
/// twice. Source: torch.amax.
const Op& max();
/// y = min x over the axes of reduce_over(). x of any shape and strides, fp16/bf16/fp32/fp64 -> y of x's shape without these
/// axes, or with size 1 for them, in the unit of x; NaN where an x is. ∂y is shared out equally among the elements that are y;
/// NaN where y is.
/// Throws ShapeError for a type that is not floating, no elements to choose from, an axis that x does not have or one named
/// twice. Source: torch.amin.
const Op& min();
/// y = argmax x, the position of the largest x along one axis, or in row-major order over all of them (attribute 0 is 1 or 0):
/// the first of several alike; a NaN counts as largest. x of any shape and strides, fp16/bf16/fp32/fp64 -> y int32 of x's shape
/// without the axis, or with size 1 for it; an index from 0. No gradient.
/// Throws ShapeError for a type that is not floating, no elements to choose from, an axis that x does not have or several axes.
/// Source: torch.argmax.
const Op& argmax();
/// y = argmin x, the position of the smallest x along one axis, or in row-major order over all of them (attribute 0 is 1 or 0):
/// the first of several alike; a NaN counts as smallest. x of any shape and strides, fp16/bf16/fp32/fp64 -> y int32 of x's shape
/// without the axis, or with size 1 for it; an index from 0. No gradient.
/// Throws ShapeError for a type that is not floating, no elements to choose from, an axis that x does not have or several axes.
/// Source: torch.argmin.
const Op& argmin();
/// y = Σ (x - mean x)² / (n - c) over the axes of reduce_over(), n elements each, in two passes; attribute 8 is the correction c:
/// 1 for the sample's variance (PyTorch's default), 0 for the population's. x of any shape and strides, fp16/bf16/fp32/fp64 -> y
/// of x's shape without these axes, or with size 1 for them, in the unit of x squared. NaN where n = 0 or n = c = 1, as in
/// PyTorch, or an x is NaN; ∞ for other n <= c where x differs. ∂x = ∂y · 2 (x - mean x) / (n - c).
/// Throws ShapeError for a type that is not floating, an axis that x does not have or one named twice. Sources: torch.var; Chan,
/// Golub and LeVeque 1983 (two passes).
const Op& var();

/// y_i = Σ_{j <= i} x_j along attribute 0, an axis, in double precision. x (…, N, …) fp16/bf16/fp32/fp64, of at least one axis
/// -> y of x's shape, in the unit of x. A NaN stays in all sums from its place on. ∂x_j = Σ_{i >= j} ∂y_i.
/// Throws ShapeError for a type that is not floating, a scalar, or an axis that x does not have. Source: torch.cumsum.
const Op& cumsum();
/// Inclusive or exclusive running sum along attribute 0, an axis: y_i = Σ_{j <= i} x_j, or with attribute 1 not 0 y_i = Σ_{j < i}
/// x_j, which begins with 0; attribute 2 not 0: from the last element backwards. In double precision. x (…, N, …)
/// fp16/bf16/fp32/fp64, of at least one axis -> y of x's shape, in the unit of x. A NaN stays in all sums from its place on. ∂x
/// is the scan of ∂y in the other direction.
/// Throws ShapeError for a type that is not floating, a scalar, or an axis that x does not have. Source: Blelloch 1990, Prefix
/// sums and their applications.
const Op& prefix_scan();

/// y = Σ x over the axes along which a smaller shape was stretched to x's: the gradient of an operand that was broadcast.
/// Attributes: [0] the target's rank, [1..6] its sizes (reshape_to in layout.hpp). x of any shape and strides,
/// fp16/bf16/fp32/fp64 -> y of the target's shape, in the unit of x; 0 over none, a NaN stays. ∂x = ∂y for every element.
/// Throws ShapeError for a type that is not floating, a rank or size that none can have, or a target that does not stretch to x.
/// Source: torch.Tensor.sum_to_size.
const Op& sum_to();

} // namespace ops

} // namespace gradus
