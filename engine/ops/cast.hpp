#pragma once

#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> cast_ops();

namespace ops {

/// y = x in another floating type: to nearest, ties to even, rounded once; wider is exact, too large is infinity, a NaN stays. x
/// of any shape and strides, fp16/bf16/fp32/fp64, int32 or bool (0 and 1) -> y of x's shape, in the unit of x; attribute 0 is the
/// number of y's DType, as gather's attribute 1. ∂x = ∂y in x's type; int32 and bool have no gradient.
/// Throws ShapeError for x of another type or a y that is not floating. Sources: IEEE 754-2019, 4.3.1 and 5.4.2; Kalamkar et al.
/// 2019 (bf16).
const Op& cast();

} // namespace ops

} // namespace gradus
