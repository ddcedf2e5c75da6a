#pragma once

#include <span>

namespace gradus {

struct Op; // engine/ops/ops.hpp

namespace ops {

/// y_i = m_i · x_i / (1 - p), m_i = 1 with probability 1 - p, else 0: so that the mean of y is x, and nothing is left to do when
/// the net is used ("inverted" dropout). x of any shape, fp16/bf16/fp32/fp64 -> y, in the unit of x, m boolean, both of x's
/// shape. Attribute 0: p in [0, 1], a share; 1: a seed, an integer below 2^53; 2: the step, an integer below 2^48. m_i is word i
/// of the Philox stream of (seed, step): the same for any number of threads, machine and device, and again when the step is run
/// again. Two layers of one net take two seeds. With p = 1, y is 0; what is dropped is 0, a NaN too. x may be empty.
/// ∂x = ∂y · m / (1 - p).
/// Throws ShapeError for a type that is not floating or an attribute out of its range; Error when it runs with a seed or step
/// that Tape::set_attribute has put out of it. Sources: Srivastava et al. 2014; torch.nn.functional.dropout; Salmon et al. 2011
/// (Philox).
const Op& dropout();

} // namespace ops

std::span<const Op* const> dropout_ops();

} // namespace gradus
