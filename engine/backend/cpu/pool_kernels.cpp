#include "engine/backend/cpu/kernel_parts.hpp"
#include "engine/core/window2d.hpp"

#include <algorithm>

namespace gradus::cpu {

namespace {

/// The planes of a pool: x (H, W) and its positions (H', W').
struct Planes {
    Window2d window;
    std::int64_t count, height, width, out_height, out_width;
    std::int64_t plane() const { return height * width; }
    std::int64_t positions() const { return out_height * out_width; }
};

Planes planes_of(const GradusCall* call, const GradusArray& x, const GradusArray& y) {
    return {Window2d::from(call->attributes), x.sizes[0] * x.sizes[1], x.sizes[2], x.sizes[3], y.sizes[2], y.sizes[3]};
}

/// The taps of a window that lie in the plane: places start + i·dilation for i in [from, until), the first at `first`.
struct Taps {
    std::int64_t first, until;
};
Taps taps(std::int64_t position, std::int64_t stride, std::int64_t padding, std::int64_t kernel, std::int64_t dilation,
          std::int64_t size) {
    const std::int64_t start = position * stride - padding;
    const std::int64_t first = start >= 0 ? start : start + (-start + dilation - 1) / dilation * dilation;
    return {first, std::min(start + (kernel - 1) * dilation + 1, size)};
}
Taps rows_at(const Planes& p, std::int64_t h) {
    return taps(h, p.window.stride_h, p.window.padding_h, p.window.kernel_h, p.window.dilation_h, p.height);
}
Taps columns_at(const Planes& p, std::int64_t u) {
    return taps(u, p.window.stride_w, p.window.padding_w, p.window.kernel_w, p.window.dilation_w, p.width);
}

/// Calls work(plane) for every plane, several in a piece where they are small.
template <class Work> void over_planes(const GradusCall* call, const Planes& p, std::int64_t elements_each, Work&& work) {
    over_pieces(call, p.count, elements_each, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t plane = from; plane < until; ++plane) work(plane);
    });
}

// x -> (y, switches)
template <class T> GradusStatus run_max_pool2d(const GradusCall* call) {
    const Planes p = planes_of(call, call->inputs[0], call->outputs[0]);
    over_planes(call, p, p.positions() * p.window.kernel_h * p.window.kernel_w, [&](std::int64_t plane) {
        const T* x = in<T>(call, 0) + plane * p.plane();
        T* y = out<T>(call, 0) + plane * p.positions();
        auto* switches = out<std::int32_t>(call, 1) + plane * p.positions();
        for (std::int64_t h = 0; h < p.out_height; ++h) {
            const Taps rows = rows_at(p, h);
            for (std::int64_t u = 0; u < p.out_width; ++u) {
                const Taps columns = columns_at(p, u);
                std::int64_t winner = rows.first * p.width + columns.first;
                T best = x[winner];
                for (std::int64_t row = rows.first; row < rows.until; row += p.window.dilation_h)
                    for (std::int64_t column = columns.first; column < columns.until; column += p.window.dilation_w) {
                        const T value = x[row * p.width + column];
                        // Without a branch, which would be guessed wrong half the time. A NaN wins, the last of several, as
                        // in PyTorch.
                        const bool better = (value > best) | (value != value);
                        best = better ? value : best;
                        winner = better ? row * p.width + column : winner;
                    }
                y[h * p.out_width + u] = best;
                switches[h * p.out_width + u] = static_cast<std::int32_t>(winner);
            }
        }
    });
    return GRADUS_OK;
}

// (dy, switches) -> dx
template <class T> GradusStatus run_max_pool2d_backward(const GradusCall* call) {
    const Planes p = planes_of(call, call->outputs[0], call->inputs[0]);
    const auto* all_switches = in<std::int32_t>(call, 1);
    for (std::int64_t i = 0; i < p.count * p.positions(); ++i)
        if (all_switches[i] < 0 || all_switches[i] >= p.plane()) return GRADUS_BAD_ARGUMENT;
    over_planes(call, p, p.plane(), [&](std::int64_t plane) {
        const T* dy = in<T>(call, 0) + plane * p.positions();
        const std::int32_t* switches = all_switches + plane * p.positions();
        T* dx = out<T>(call, 0) + plane * p.plane();
        std::fill(dx, dx + p.plane(), T(0));
        for (std::int64_t i = 0; i < p.positions(); ++i) dx[switches[i]] += dy[i];
    });
    return GRADUS_OK;
}

/// 1 / the number of entries that the mean of a window goes over.
double share(const Planes& p, const Taps& rows, const Taps& columns) {
    const std::int64_t whole = p.window.kernel_h * p.window.kernel_w;
    return 1.0 / static_cast<double>(
                     p.window.count_include_pad != 0 ? whole : (rows.until - rows.first) * (columns.until - columns.first));
}

// x -> y
template <class T> GradusStatus run_avg_pool2d(const GradusCall* call) {
    const Planes p = planes_of(call, call->inputs[0], call->outputs[0]);
    over_planes(call, p, p.positions() * p.window.kernel_h * p.window.kernel_w, [&](std::int64_t plane) {
        const T* x = in<T>(call, 0) + plane * p.plane();
        T* y = out<T>(call, 0) + plane * p.positions();
        for (std::int64_t h = 0; h < p.out_height; ++h)
            for (std::int64_t u = 0; u < p.out_width; ++u) {
                const Taps rows = rows_at(p, h), columns = columns_at(p, u);
                double sum = 0;
                for (std::int64_t row = rows.first; row < rows.until; ++row)
                    for (std::int64_t column = columns.first; column < columns.until; ++column)
                        sum += static_cast<double>(x[row * p.width + column]);
                y[h * p.out_width + u] = static_cast<T>(sum * share(p, rows, columns));
            }
    });
    return GRADUS_OK;
}

// dy -> dx
template <class T> GradusStatus run_avg_pool2d_backward(const GradusCall* call) {
    const Planes p = planes_of(call, call->outputs[0], call->inputs[0]);
    over_planes(call, p, p.positions() * p.window.kernel_h * p.window.kernel_w, [&](std::int64_t plane) {
        const T* dy = in<T>(call, 0) + plane * p.positions();
        T* dx = out<T>(call, 0) + plane * p.plane();
        std::fill(dx, dx + p.plane(), T(0));
        for (std::int64_t h = 0; h < p.out_height; ++h)
            for (std::int64_t u = 0; u < p.out_width; ++u) {
                const Taps rows = rows_at(p, h), columns = columns_at(p, u);
                const T part = static_cast<T>(static_cast<double>(dy[h * p.out_width + u]) * share(p, rows, columns));
                for (std::int64_t row = rows.first; row < rows.until; ++row)
                    for (std::int64_t column = columns.first; column < columns.until; ++column)
                        dx[row * p.width + column] += part;
            }
    });
    return GRADUS_OK;
}

// x -> y (N, C, 1, 1)
template <class T> GradusStatus run_global_avg_pool(const GradusCall* call) {
    const Planes p = planes_of(call, call->inputs[0], call->outputs[0]);
    over_planes(call, p, p.plane(), [&](std::int64_t plane) {
        const T* x = in<T>(call, 0) + plane * p.plane();
        out<T>(call, 0)[plane] = static_cast<T>(path_of<T>(call).norms.sum(x, p.plane()) / static_cast<double>(p.plane()));
    });
    return GRADUS_OK;
}

// dy (N, C, 1, 1) -> dx
template <class T> GradusStatus run_global_avg_pool_backward(const GradusCall* call) {
    const Planes p = planes_of(call, call->outputs[0], call->inputs[0]);
    over_planes(call, p, p.plane(), [&](std::int64_t plane) {
        const T part = static_cast<T>(static_cast<double>(in<T>(call, 0)[plane]) / static_cast<double>(p.plane()));
        T* dx = out<T>(call, 0) + plane * p.plane();
        std::fill(dx, dx + p.plane(), part);
    });
    return GRADUS_OK;
}

template <class T> constexpr std::array<Kernel, 6> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"max_pool2d", t, run_max_pool2d<T>},
        {"max_pool2d_backward", t, run_max_pool2d_backward<T>},
        {"avg_pool2d", t, run_avg_pool2d<T>},
        {"avg_pool2d_backward", t, run_avg_pool2d_backward<T>},
        {"global_avg_pool", t, run_global_avg_pool<T>},
        {"global_avg_pool_backward", t, run_global_avg_pool_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> pool_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
