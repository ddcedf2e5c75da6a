#pragma once

#include "engine/core/window2d.hpp"

#include <span>

namespace gradus {

struct Op;

std::span<const Op* const> conv_ops();

/// Convolutions of images x (N, C, H, W). Their attributes are a Window2d's:
/// Window2d{.stride_h = 2, .padding_h = 1}.attributes().
namespace ops {

/// Cross-correlation, called convolution in this field, as columns times a matrix:
/// y_n,o,h',w' = b_o + Σ_c,i,j w_o,c,i,j · x_n,c,h'·s-p+i·d,w'·s-p+j·d, where x outside its plane is 0.
/// x (N, C, H, W), w (O, C/groups, kh, kw), b (O) or none -> y (N, O, H', W') with H' = ⌊(H + 2p - d·(kh - 1) - 1) / s⌋ + 1.
/// Outputs of group g see only the channels of group g. 2·N·O·H'·W'·C/groups·kh·kw FLOPs. Each w · columns is one matrix product
/// of the path over a block of positions of an image; a thread holds 2^19 entries of columns, or the columns of 32 positions
/// where those are more. A window of 1 × 1 with stride 1 and no padding needs none. The gradients make the same columns again,
/// and the weight's holds up to 8 MiB of partial sums in double precision, or one per weight where those are more. N may be 0.
/// Throws ShapeError where channels do not divide into the groups or the window does not fit into the padded plane.
/// Source: Chellapilla, Puri and Simard 2006.
const Op& conv2d();

/// The same numbers by the definition's loops, each sum in double precision: what conv2d is compared with, and the slowest way.
const Op& conv2d_direct();

/// The gradient of conv2d with respect to its input, as a layer of its own (also called deconvolution): every x_n,c,h,w adds
/// x · w_c to the outputs below a window at (h, w): y_n,o,h·s-p+i·d,w·s-p+j·d += w_c,o,i,j · x_n,c,h,w, then b_o.
/// x (N, C, H, W), w (C, O/groups, kh, kw), b (O) or none -> y (N, O, H', W') with
/// H' = (H - 1)·s - 2p + d·(kh - 1) + 1 + output padding.
/// Throws ShapeError as conv2d does, and where an output padding is not below its stride or dilation.
/// Source: Dumoulin and Visin 2016.
const Op& conv_transpose2d();

/// Every window of an image as one column: y_n,(c,i,j),(h',w') = x_n,c,h'·s-p+i·d,w'·s-p+j·d, 0 outside. No arithmetic.
/// x (N, C, H, W) -> y (N, C·kh·kw, H'·W'), torch's unfold; attributes need kernel_h and kernel_w.
/// Throws ShapeError where the window does not fit into the padded plane.
const Op& im2col();

/// The sum of the columns back onto the image, where every entry gets one term from each window above it; im2col's gradient.
/// x (N, C·kh·kw, H'·W') -> y (N, C, image_h, image_w), torch's fold; attributes need kernel_h, kernel_w, image_h and image_w.
/// Throws ShapeError where the axes are not those that im2col makes of such an image.
const Op& col2im();

} // namespace ops

} // namespace gradus
