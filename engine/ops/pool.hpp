#pragma once

#include "engine/core/window2d.hpp"

#include <span>

namespace gradus {

struct Op;

std::span<const Op* const> pool_ops();

/// Pools over the planes of images x (N, C, H, W). Attributes of max_pool2d and avg_pool2d are a Window2d's, kernel_h and
/// kernel_w among them; strides are as given (torch's default is the kernel's size).
namespace ops {

/// y_n,c,h',w' = max x of the window at (h', w'), and where it lies: the first of several alike. A NaN counts as the largest, the
/// last of several. x (N, C, H, W) fp16/bf16/fp32/fp64 -> y (N, C, H', W'), in the unit of x, and switches (N, C, H', W')
/// int32 = h·W + w within the plane (torch's return_indices), with H' = ⌊(H + 2p - d·(kh - 1) - 1) / s⌋ + 1. The border never
/// wins. N may be 0. ∂x_switch += ∂y: the gradient goes to the winner alone.
/// Throws ShapeError for another rank or type, an empty channel axis or plane, or one of 2^31 entries, a stride or dilation below
/// 1, a window that does not fit or that misses the plane somewhere, or a padding of more than half the window. Source:
/// torch.nn.functional.max_pool2d; Riesenhuber and Poggio 1999.
const Op& max_pool2d();

/// y_n,c,h',w' = Σ x of the window at (h', w') / n, their number: kh·kw with the border's zeros where count_include_pad is 1,
/// else those inside the plane. x (N, C, H, W) fp16/bf16/fp32/fp64 -> y (N, C, H', W'), sizes as of max_pool2d, in the unit of x;
/// sums in double precision. A NaN spreads to the windows that hold it; N may be 0. ∂x of the window += ∂y / n.
/// Throws ShapeError for another rank or type, an empty channel axis or plane, a stride below 1, a dilation other than 1, a
/// window that does not fit or that misses the plane somewhere, or a padding of more than half the window. Source:
/// torch.nn.functional.avg_pool2d; LeCun, Bottou, Bengio and Haffner 1998 (subsampling).
const Op& avg_pool2d();

/// y_n,c = Σ_h,w x_n,c,h,w / (H·W), the mean of the plane: torch's adaptive average to 1 × 1. x (N, C, H, W) fp16/bf16/fp32/fp64
/// -> y (N, C, 1, 1), in the unit of x; summed in double precision; no attributes. A NaN of a plane is its mean; N may be 0.
/// ∂x = ∂y / (H·W).
/// Throws ShapeError for another rank or type, or an empty channel axis or plane. Source: Lin, Chen and Yan 2014.
const Op& global_avg_pool();

} // namespace ops

} // namespace gradus
