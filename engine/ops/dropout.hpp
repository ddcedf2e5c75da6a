#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

namespace ops {

/// y_i = m_i · x_i / (1 - p), m_i = 1 with probability 1 - p, else 0: so that the mean of y is x, and nothing is left to do
/// when the net is used ("inverted" dropout). x -> y, m boolean, both of x's shape. Attribute 0: p in [0, 1]; 1: a seed, an
/// integer below 2^53; 2: the step, an integer below 2^48. m_i is word i of the Philox stream of (seed, step): the same for any
/// number of threads, machine and device, and again when the step is run again. Two layers of one net take two seeds. With
/// p = 1, y is 0. ∂x = ∂y · m / (1 - p). Throws ShapeError. Source: Srivastava et al. 2014; torch.nn.functional.dropout.
const Op& dropout();

} // namespace ops

std::span<const Op* const> dropout_ops();

} // namespace gradus
