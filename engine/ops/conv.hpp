#pragma once

#include "engine/core/window2d.hpp"

#include <span>

namespace gradus {

struct Op;

std::span<const Op* const> conv_ops();

/// Convolutions of images x (N, C, H, W); s, p and d are a stride, a padding and a dilation, in pixels. Their attributes are a
/// Window2d's: Window2d{.stride_h = 2, .padding_h = 1}.attributes().
namespace ops {

/// Cross-correlation, called convolution in this field, as columns times a matrix:
/// y_n,o,h',w' = b_o + Σ_c,i,j w_o,c,i,j · x_n,c,h'·s-p+i·d,w'·s-p+j·d, where x outside its plane is 0. x (N, C, H, W), w
/// (O, C/groups, kh, kw), b (O) or none, all of one of fp16/bf16/fp32/fp64 -> y (N, O, H', W') with
/// H' = ⌊(H + 2p - d·(kh - 1) - 1) / s⌋ + 1, in the unit of x times that of w. Outputs of group g see only the channels of group
/// g. A NaN or ±∞ of x spreads to the windows that hold it; N may be 0. 2·N·O·H'·W'·C/groups·kh·kw FLOPs. Each w · columns is one
/// matrix product of the path over a block of positions of an image; a thread holds 2^19 entries of columns, or the columns of 32
/// positions where those are more. A window of 1 × 1 with stride 1 and no padding needs none. ∂x = col2im(wᵀ · ∂y),
/// ∂w = Σ_n ∂y_n · im2col(x_n)ᵀ, ∂b_o = Σ_n,h',w' ∂y_n,o,h',w': they make the same columns again, and the weight's holds up to 8
/// MiB of partial sums in double precision, or one per weight where those are more.
/// Throws ShapeError for other ranks or types, a channel, plane or weight of size 0, a stride or dilation below 1, a negative
/// padding, channels that do not divide into the groups, a bias of another length, or a window that does not fit into the padded
/// plane. Source: Chellapilla, Puri and Simard 2006; torch.nn.functional.conv2d.
const Op& conv2d();

/// y = conv2d(x, w, b) by the definition's loops, each sum in double precision: what conv2d is compared with, and the slowest
/// way. x (N, C, H, W), w (O, C/groups, kh, kw), b (O) or none, all of one of fp16/bf16/fp32/fp64 -> y (N, O, H', W'), sizes and
/// unit as of conv2d; N may be 0. ∂x, ∂w and ∂b are conv2d's, by loops too.
/// Throws ShapeError where conv2d does. Source: Dumoulin and Visin 2016; torch.nn.functional.conv2d.
const Op& conv2d_direct();

/// y_n,o,h·s-p+i·d,w·s-p+j·d += w_c,o,i,j · x_n,c,h,w, then b_o: the gradient of conv2d with respect to its input, as a layer of
/// its own (also called deconvolution); every x_n,c,h,w adds x · w_c to the outputs below a window at (h, w). x (N, C, H, W), w
/// (C, O/groups, kh, kw), b (O) or none, all of one of fp16/bf16/fp32/fp64 -> y (N, O, H', W') with
/// H' = (H - 1)·s - 2p + d·(kh - 1) + 1 + output padding, in the unit of x times that of w. A NaN or ±∞ of x spreads to the
/// outputs below its window; N may be 0. ∂x = conv2d(∂y, w), ∂w is conv2d's with x and ∂y exchanged,
/// ∂b_o = Σ_n,h',w' ∂y_n,o,h',w'.
/// Throws ShapeError for other ranks or types, a channel, plane or weight of size 0, a stride or dilation below 1, a negative
/// padding, channels that do not divide into the groups, a bias of another length, an output padding that is not below its stride
/// or dilation, or a padding that leaves no output. Source: Dumoulin and Visin 2016; torch.nn.functional.conv_transpose2d.
const Op& conv_transpose2d();

/// y_n,(c,i,j),(h',w') = x_n,c,h'·s-p+i·d,w'·s-p+j·d, 0 outside: every window of an image as one column. No arithmetic. x
/// (N, C, H, W) fp16/bf16/fp32/fp64 -> y (N, C·kh·kw, H'·W'), H' and W' as of conv2d, in the unit of x; attributes need kernel_h
/// and kernel_w. N may be 0. ∂x = col2im(∂y).
/// Throws ShapeError for another rank or type, an empty channel axis or plane, a stride or dilation below 1, a negative padding,
/// or a window below 1 × 1 or one that does not fit into the padded plane. Source: torch.nn.functional.unfold; Chellapilla, Puri
/// and Simard 2006.
const Op& im2col();

/// y_n,c,h'·s-p+i·d,w'·s-p+j·d += x_n,(c,i,j),(h',w'): the sum of the columns back onto the image, where every entry gets one
/// term from each window above it, 0 from none; im2col's gradient. x (N, C·kh·kw, H'·W') fp16/bf16/fp32/fp64 -> y (N, C, image_h,
/// image_w), in the unit of x; attributes need kernel_h, kernel_w, image_h and image_w. N may be 0. ∂x = im2col(∂y).
/// Throws ShapeError for another rank or type, attributes that are no window on an image, or axes that are not those that im2col
/// makes of such an image. Source: torch.nn.functional.fold.
const Op& col2im();

} // namespace ops

} // namespace gradus
