#pragma once

#include "engine/core/shape.hpp"

#include <array>
#include <span>

namespace gradus {

/// How a window of kernel_h × kernel_w entries, dilation_h and dilation_w apart, moves over a plane (H, W) with a border of
/// padding_h and padding_w zeros, stride_h and stride_w at a time: entry (i, j) at position (h', w') lies at
/// (h'·stride_h - padding_h + i·dilation_h, w'·stride_w - padding_w + j·dilation_w).
/// Convolutions, im2col and the pools carry one as their attributes, in this order; what an op has no use for is not looked at.
struct Window2d {
    Dim stride_h = 1, stride_w = 1;
    Dim padding_h = 0, padding_w = 0;
    Dim dilation_h = 1, dilation_w = 1;
    Dim groups = 1;                                 ///< convolutions only
    Dim kernel_h = 0, kernel_w = 0;                 ///< where no weight gives them: im2col, col2im, the pools
    Dim image_h = 0, image_w = 0;                   ///< the plane where only the positions are an input: col2im, gradients
    Dim output_padding_h = 0, output_padding_w = 0; ///< conv_transpose2d only
    Dim count_include_pad = 1;                      ///< avg_pool2d only: 0 leaves the border out of the mean

    static constexpr int count = 14;

    std::array<double, 16> attributes() const {
        const auto number = [](Dim value) { return static_cast<double>(value); };
        return {number(stride_h),         number(stride_w),         number(padding_h), number(padding_w),
                number(dilation_h),       number(dilation_w),       number(groups),    number(kernel_h),
                number(kernel_w),         number(image_h),          number(image_w),   number(output_padding_h),
                number(output_padding_w), number(count_include_pad)};
    }

    /// The window that attributes name. Throws nothing: call valid() on numbers that may be any.
    static Window2d from(std::span<const double> a) {
        const auto at = [a](std::size_t i) { return static_cast<Dim>(a[i]); };
        return {at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), at(12), at(13)};
    }

    /// Integers below 2^31, strides and dilations at least 1.
    static bool valid(std::span<const double> a) {
        for (std::size_t i = 0; i < count; ++i)
            if (!(a[i] >= 0 && a[i] < 2147483648.0) || a[i] != static_cast<double>(static_cast<Dim>(a[i]))) return false;
        return a[0] >= 1 && a[1] >= 1 && a[4] >= 1 && a[5] >= 1;
    }

    /// Positions of a window of `kernel` entries along an axis of `size`; 0 or less where it does not fit.
    static Dim positions(Dim size, Dim kernel, Dim stride, Dim padding, Dim dilation) {
        const Dim room = size + 2 * padding - dilation * (kernel - 1) - 1;
        return room < 0 ? 0 : room / stride + 1;
    }
    Dim positions_h(Dim height) const { return positions(height, kernel_h, stride_h, padding_h, dilation_h); }
    Dim positions_w(Dim width) const { return positions(width, kernel_w, stride_w, padding_w, dilation_w); }
};

} // namespace gradus
