#pragma once

#include "engine/backend/cpu/conv_parts.hpp"

/// Convolutions of one channel per group (depthwise): too few terms for a product over columns. Each plane is laid with its border
/// into scratch memory, where a tap is an offset and positions of all lines are one stretch.
namespace gradus::cpu {

/// Whether the kernels below take it: strides of 1 or, forward, 2, and a plane that fits a cache.
inline bool is_depthwise(const ConvShape& s, std::int64_t most_stride) {
    const Window2d& w = s.window;
    return s.groups > 1 && s.channels == 1 && s.out_channels <= 4 && s.taps() <= 128 && w.stride_h == w.stride_w && w.stride_h <= most_stride && s.images > 0 &&
           s.positions() > 0 && (s.height + 2 * w.padding_h) * (s.width + 2 * w.padding_w) <= 1 << 16;
}

/// A plane with its border: `above` lines and `left` columns of zeros before it, and as many behind.
struct Bordered {
    std::int64_t height, width, above, left;
    std::int64_t row() const { return width + 2 * left; }
    std::int64_t elements() const { return (height + 2 * above) * row(); }

    template <class T> void lay(const T* plane, T* out) const {
        std::fill(out, out + elements(), T(0));
        for (std::int64_t line = 0; line < height; ++line)
            std::copy_n(plane + line * width, width, out + (line + above) * row() + left);
    }
};

// (x, w, b or none) -> y
template <class T> GradusStatus run_depthwise(const GradusCall* call, const ConvShape& s) {
    const Bordered x{s.height, s.width, s.window.padding_h, s.window.padding_w};
    const T *bias = call->input_count > 2 ? in<T>(call, 2) : nullptr, *weight = in<T>(call, 1);
    const std::int64_t stride = s.window.stride_h, taps = s.taps();
    const std::int64_t lines = (s.out_height - 1) * stride + 1, columns = (s.out_width - 1) * stride + 1; // at a stride of 1
    std::int64_t offset[128];
    for (std::int64_t t = 0; t < taps; ++t)
        offset[t] = t / s.kernel_w * s.window.dilation_h * x.row() + t % s.kernel_w * s.window.dilation_w;
    const auto run = [&](std::int64_t plane, T* scratch) {
        x.lay(in<T>(call, 0) + plane * s.plane(), scratch);
        T* all = scratch + x.elements();
        for (std::int64_t o = 0; o < s.out_channels; ++o) {
            const std::int64_t channel = plane % s.groups * s.out_channels + o;
            path_of<T>(call).windows.convolve({scratch, weight + channel * taps, offset, all, taps, (lines - 1) * x.row() + columns});
            T* y = out<T>(call, 0) + (plane * s.out_channels + o) * s.positions();
            const T shift = bias ? bias[channel] : T(0);
            for (std::int64_t line = 0; line < s.out_height; ++line) {
                const T* from = all + line * stride * x.row();
                T* to = y + line * s.out_width;
                if (stride == 1 && !bias) std::copy_n(from, s.out_width, to);
                else
                    for (std::int64_t c = 0; c < s.out_width; ++c) to[c] = from[c * stride] + shift;
            }
        }
    };
    return over_tasks<T>(call, s.images * s.groups, 2 * x.elements(), s.multiply_adds() < parallel_convolution, run);
}

// (dy, w, b or none) -> dx, at a stride of 1: dx (h, u) = Σ_o Σ_ij w_oij · dy_o (h + padding - i·dilation, …). The planes of dy lie
// one after another, with a border in which every tap of every entry of x lies.
template <class T> GradusStatus run_depthwise_input_gradient(const GradusCall* call, const ConvShape& s) {
    const std::int64_t reach_h = (s.kernel_h - 1) * s.window.dilation_h, reach_w = (s.kernel_w - 1) * s.window.dilation_w;
    // of x at (h, u) the last tap lies at h + padding - reach, from -reach up to height - 1 + padding
    const std::int64_t above = std::max(reach_h, s.height + s.window.padding_h - s.out_height);
    const std::int64_t left = std::max(reach_w, s.width + s.window.padding_w - s.out_width);
    const Bordered dy{s.out_height, s.out_width, std::max<std::int64_t>(0, above), std::max<std::int64_t>(0, left)};
    const T *bias = call->input_count > 2 ? in<T>(call, 2) : nullptr, *weight = in<T>(call, 1);
    const std::int64_t taps = s.taps() * s.out_channels;
    std::int64_t offset[128];
    for (std::int64_t t = 0; t < taps; ++t) {
        const std::int64_t i = t % s.taps() / s.kernel_w, j = t % s.kernel_w;
        offset[t] = t / s.taps() * dy.elements() + (dy.above + s.window.padding_h - i * s.window.dilation_h) * dy.row() + dy.left +
                    s.window.padding_w - j * s.window.dilation_w;
    }
    const auto run = [&](std::int64_t plane, T* scratch) {
        for (std::int64_t o = 0; o < s.out_channels; ++o)
            dy.lay(in<T>(call, 0) + (plane * s.out_channels + o) * s.positions(), scratch + o * dy.elements());
        T* all = scratch + s.out_channels * dy.elements();
        const std::int64_t group = plane % s.groups;
        path_of<T>(call).windows.convolve({scratch, weight + group * taps, offset, all, taps, (s.height - 1) * dy.row() + s.width});
        T* dx = out<T>(call, 0) + plane * s.plane();
        const T shift = bias ? bias[group] : T(0);
        for (std::int64_t line = 0; line < s.height; ++line)
            for (std::int64_t c = 0; c < s.width; ++c) dx[line * s.width + c] = all[line * dy.row() + c] + shift;
    };
    const std::int64_t scratch = s.out_channels * dy.elements() + s.height * dy.row();
    return over_tasks<T>(call, s.images * s.groups, scratch, s.multiply_adds() < parallel_convolution, run);
}

// (dy, x) -> dw, at a stride of 1: a task is a channel of x, whose images come in order; sums of a plane in T, over planes in fp64.
template <class T> GradusStatus run_depthwise_weight_gradient(const GradusCall* call, const ConvShape& s) {
    const Bordered x{s.height, s.width, s.window.padding_h, s.window.padding_w};
    std::int64_t offset[128];
    for (std::int64_t t = 0; t < s.taps(); ++t)
        offset[t] = t / s.kernel_w * s.window.dilation_h * x.row() + t % s.kernel_w * s.window.dilation_w;
    const auto run = [&](std::int64_t group, T* scratch) {
        for (std::int64_t o = 0; o < s.out_channels; ++o) {
            double sum[128] = {};
            for (std::int64_t n = 0; n < s.images; ++n) {
                x.lay(in<T>(call, 1) + (n * s.groups + group) * s.plane(), scratch);
                const T* dy = in<T>(call, 0) + ((n * s.groups + group) * s.out_channels + o) * s.positions();
                path_of<T>(call).windows.tap_sums(
                    {dy, scratch, offset, sum, s.taps(), s.out_height, s.out_width, s.out_width, x.row()});
            }
            T* dw = out<T>(call, 0) + (group * s.out_channels + o) * s.taps();
            for (std::int64_t t = 0; t < s.taps(); ++t) dw[t] = static_cast<T>(sum[t]);
        }
    };
    return over_tasks<T>(call, s.groups, x.elements(), s.multiply_adds() < parallel_convolution, run);
}

} // namespace gradus::cpu
