#pragma once

#include "engine/autograd/tape.hpp"

#include <initializer_list>
#include <span>

namespace gradus {

/// Sums, means, extremes and variances over axes, and running sums along one.
std::span<const Op* const> reduce_ops();

/// The attributes of a reduction over these axes (none: over all); `own` is the op's own number, var's correction.
Attributes reduce_over(std::initializer_list<int> axes, bool keep_axes = false, double own = 0);

/// A reduction's attributes: [0] number of axes, 0 for all of them; [1] 1 if a reduced axis stays, with size 1; [2..7] the
/// axes, from 0 up, no two alike; [8] the op's own number. Floating x of any strides. Every sum is made in double
/// precision, in a grouping that depends on the shape alone: at most some hundred terms are added to one another in a
/// chain, and fp32 results are rounded once. Each throws ShapeError for an axis that x does not have.
namespace ops {

/// y = Σ x over the axes; 0 over none. ∂x = ∂y for every element.
const Op& sum();
/// y = Σ x / n over the axes; NaN where n = 0, as in PyTorch. ∂x = ∂y / n.
const Op& mean();
/// y = max x over the axes, NaN where there is one. ∂y is shared out equally among the elements that are y (torch.amax).
/// Refuses an axis without elements.
const Op& max();
/// y = min x over the axes, NaN where there is one. ∂y is shared out equally among the elements that are y (torch.amin).
/// Refuses an axis without elements.
const Op& min();
/// int32 position of the largest x along one axis, or in row-major order over all of them (attribute 0 is 1 or 0): the first
/// of several alike; a NaN counts as largest. No gradient. Refuses an axis without elements.
const Op& argmax();
/// As argmax, of the smallest; a NaN counts as smallest.
const Op& argmin();
/// y = Σ (x - mean x)² / (n - c) over the axes, in two passes; attribute 8 is the correction c: 1 for the sample's
/// variance (PyTorch's default), 0 for the population's. ∂x = ∂y · 2 (x - mean x) / (n - c). NaN where n = 0 or
/// n = c = 1, as in PyTorch.
const Op& var();

/// y_i = Σ_{j <= i} x_j along attribute 0, an axis. ∂x_j = Σ_{i >= j} ∂y_i.
const Op& cumsum();
/// Inclusive or exclusive running sum along attribute 0, an axis: y_i = Σ_{j <= i} x_j, or with attribute 1 not 0
/// y_i = Σ_{j < i} x_j, which begins with 0; attribute 2 not 0: from the last element backwards.
/// Source: Blelloch 1990, Prefix sums and their applications.
const Op& prefix_scan();

/// Sums x over the axes along which a smaller shape was stretched to x's: the gradient of an operand that was broadcast.
/// Attributes: [0] the target's rank, [1..6] its sizes (reshape_to in layout.hpp). Throws ShapeError where the target does not
/// stretch to x.
const Op& sum_to();

} // namespace ops

} // namespace gradus
