// Convolutions by their definition: plain loops, every sum in double precision. The reference for the kernels of
// conv_kernels.cpp.
#include "engine/backend/cpu/conv_parts.hpp"

namespace gradus::cpu {

namespace {

/// The place that tap `tap` of the window at `position` reads.
std::int64_t place(std::int64_t position, std::int64_t stride, std::int64_t padding, std::int64_t tap, std::int64_t dilation) {
    return position * stride - padding + tap * dilation;
}
bool inside(std::int64_t place, std::int64_t size) { return place >= 0 && place < size; }

// (x, w, b or none) -> y
template <class T> GradusStatus run_direct(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->inputs[0], call->inputs[1], call->outputs[0]);
    const Window2d& v = s.window;
    const T *x = in<T>(call, 0), *w = in<T>(call, 1), *bias = call->input_count > 2 ? in<T>(call, 2) : nullptr;
    T* y = out<T>(call, 0);
    const std::int64_t outs = s.groups * s.out_channels;
    const auto output = [&](std::int64_t n, std::int64_t o, std::int64_t h, std::int64_t u) {
        double sum = 0;
        for (std::int64_t c = 0; c < s.channels; ++c)
            for (std::int64_t i = 0; i < s.kernel_h; ++i)
                for (std::int64_t j = 0; j < s.kernel_w; ++j) {
                    const std::int64_t row = place(h, v.stride_h, v.padding_h, i, v.dilation_h);
                    const std::int64_t column = place(u, v.stride_w, v.padding_w, j, v.dilation_w);
                    if (!inside(row, s.height) || !inside(column, s.width)) continue;
                    const std::int64_t channel = (n * s.groups + o / s.out_channels) * s.channels + c;
                    sum += static_cast<double>(w[((o * s.channels + c) * s.kernel_h + i) * s.kernel_w + j]) *
                           static_cast<double>(x[(channel * s.height + row) * s.width + column]);
                }
        return bias ? sum + static_cast<double>(bias[o]) : sum;
    };
    over_pieces(call, s.images * outs, s.positions() * s.depth(), [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t plane = from; plane < until; ++plane)
            for (std::int64_t h = 0; h < s.out_height; ++h)
                for (std::int64_t u = 0; u < s.out_width; ++u)
                    y[(plane * s.out_height + h) * s.out_width + u] = static_cast<T>(output(plane / outs, plane % outs, h, u));
    });
    return GRADUS_OK;
}

// (dy, w) -> dx: what every entry of x was multiplied with. Tap (i, j) read it at the position (place + padding - tap·dilation) /
// stride, if that is a whole number.
template <class T> GradusStatus run_direct_input_gradient(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->outputs[0], call->inputs[1], call->inputs[0]);
    const Window2d& v = s.window;
    const T *dy = in<T>(call, 0), *w = in<T>(call, 1);
    T* dx = out<T>(call, 0);
    const std::int64_t channels = s.groups * s.channels;
    const auto entry = [&](std::int64_t n, std::int64_t channel, std::int64_t row, std::int64_t column) {
        const std::int64_t group = channel / s.channels, c = channel % s.channels;
        double sum = 0;
        for (std::int64_t o = group * s.out_channels; o < (group + 1) * s.out_channels; ++o)
            for (std::int64_t i = 0; i < s.kernel_h; ++i)
                for (std::int64_t j = 0; j < s.kernel_w; ++j) {
                    const std::int64_t h = row + v.padding_h - i * v.dilation_h, u = column + v.padding_w - j * v.dilation_w;
                    if (h % v.stride_h != 0 || u % v.stride_w != 0) continue;
                    if (!inside(h / v.stride_h, s.out_height) || !inside(u / v.stride_w, s.out_width)) continue;
                    const std::int64_t plane = n * s.groups * s.out_channels + o;
                    sum += static_cast<double>(w[((o * s.channels + c) * s.kernel_h + i) * s.kernel_w + j]) *
                           static_cast<double>(dy[(plane * s.out_height + h / v.stride_h) * s.out_width + u / v.stride_w]);
                }
        return sum;
    };
    over_pieces(call, s.images * channels, s.plane() * s.out_channels * s.taps(), [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t plane = from; plane < until; ++plane)
            for (std::int64_t row = 0; row < s.height; ++row)
                for (std::int64_t column = 0; column < s.width; ++column)
                    dx[(plane * s.height + row) * s.width + column] =
                        static_cast<T>(entry(plane / channels, plane % channels, row, column));
    });
    return GRADUS_OK;
}

// (dy, x) -> dw: each weight's sum over images and positions.
template <class T> GradusStatus run_direct_weight_gradient(const GradusCall* call) {
    const ConvShape s = conv_shape(call, call->inputs[1], call->outputs[0], call->inputs[0]);
    const Window2d& v = s.window;
    const T *dy = in<T>(call, 0), *x = in<T>(call, 1);
    T* dw = out<T>(call, 0);
    const auto weight = [&](std::int64_t o, std::int64_t c, std::int64_t i, std::int64_t j) {
        double sum = 0;
        for (std::int64_t n = 0; n < s.images; ++n)
            for (std::int64_t h = 0; h < s.out_height; ++h)
                for (std::int64_t u = 0; u < s.out_width; ++u) {
                    const std::int64_t row = place(h, v.stride_h, v.padding_h, i, v.dilation_h);
                    const std::int64_t column = place(u, v.stride_w, v.padding_w, j, v.dilation_w);
                    if (!inside(row, s.height) || !inside(column, s.width)) continue;
                    const std::int64_t channel = (n * s.groups + o / s.out_channels) * s.channels + c;
                    sum += static_cast<double>(dy[((n * s.groups * s.out_channels + o) * s.out_height + h) * s.out_width + u]) *
                           static_cast<double>(x[(channel * s.height + row) * s.width + column]);
                }
        return sum;
    };
    over_pieces(call, s.groups * s.out_channels * s.channels, s.taps() * s.images * s.positions(),
                [&](std::int64_t from, std::int64_t until) {
                    for (std::int64_t k = from; k < until; ++k)
                        for (std::int64_t i = 0; i < s.kernel_h; ++i)
                            for (std::int64_t j = 0; j < s.kernel_w; ++j)
                                dw[(k * s.kernel_h + i) * s.kernel_w + j] =
                                    static_cast<T>(weight(k / s.channels, k % s.channels, i, j));
                });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 3> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"conv2d_direct", t, run_direct<T>},
        {"conv2d_direct_backward_input", t, run_direct_input_gradient<T>},
        {"conv2d_direct_backward_weight", t, run_direct_weight_gradient<T>},
    }};
}

} // namespace

std::span<const Kernel> conv_direct_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
