#pragma once

#include <span>

namespace gradus {

struct Op;
std::span<const Op* const> cast_ops();

namespace ops {

/// y = x in another floating type: to nearest, ties to even, rounded once; wider is exact, too large is infinity, a NaN stays.
/// x of a floating type, int32 or bool (0 and 1); attribute 0 is the number of y's DType, as gather's. ∂x = ∂y in x's type;
/// int32 and bool have no gradient. Throws ShapeError for other types.
const Op& cast();

} // namespace ops

} // namespace gradus
