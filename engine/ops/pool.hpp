#pragma once

#include "engine/core/window2d.hpp"

#include <span>

namespace gradus {

struct Op;

std::span<const Op* const> pool_ops();

/// Pools over the planes of images x (N, C, H, W). Attributes of max_pool2d and avg_pool2d are a Window2d's, kernel_h and
/// kernel_w among them; strides are as given (torch's default is the kernel's size).
namespace ops {

/// y_n,c,h',w' = the largest x of the window at (h', w'), and where it lies: the first of several alike. A NaN
/// counts as the largest.
/// x (N, C, H, W) -> y (N, C, H', W'), switches (N, C, H', W') int32 = h·W + w within the plane (torch's return_indices), with
/// H' = ⌊(H + 2p - d·(kh - 1) - 1) / s⌋ + 1. The border never wins. The gradient goes to the winner alone.
/// Throws ShapeError where the window does not fit, or a padding is more than half the window.
const Op& max_pool2d();

/// y_n,c,h',w' = Σ x of the window at (h', w') / their number, kh·kw with the border's zeros where count_include_pad is 1,
/// else those inside the plane. x (N, C, H, W) -> y (N, C, H', W'), sums in double precision. Dilation must be 1.
/// Throws ShapeError as max_pool2d does.
const Op& avg_pool2d();

/// y_n,c = the mean of the plane: torch's adaptive average to 1 × 1. x (N, C, H, W) -> y (N, C, 1, 1); no attributes.
/// Throws ShapeError for an empty plane. Source: Lin, Chen and Yan 2014.
const Op& global_avg_pool();

} // namespace ops

} // namespace gradus
