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

/// One position of a max-pool: its entries one after the other.
template <class T> void max_at(const Planes& p, const T* x, std::int64_t h, std::int64_t u, T* y, std::int32_t* switches) {
    const Taps rows = rows_at(p, h), columns = columns_at(p, u);
    std::int64_t winner = rows.first * p.width + columns.first;
    T best = x[winner];
    for (std::int64_t row = rows.first; row < rows.until; row += p.window.dilation_h)
        for (std::int64_t column = columns.first; column < columns.until; column += p.window.dilation_w) {
            const T value = x[row * p.width + column];
            // Without a branch, which would be guessed wrong half the time. A NaN wins, the last of several, as in PyTorch.
            const bool better = (value > best) | (value != value);
            best = better ? value : best;
            winner = better ? row * p.width + column : winner;
        }
    y[h * p.out_width + u] = best;
    switches[h * p.out_width + u] = static_cast<std::int32_t>(winner);
}

/// Positions [first, until) of an axis at which every tap lies in the plane.
struct Whole {
    std::int64_t first, until;
};
Whole whole_windows(std::int64_t positions, std::int64_t stride, std::int64_t padding, std::int64_t kernel, std::int64_t dilation,
                    std::int64_t size) {
    const std::int64_t first = std::min(positions, (padding + stride - 1) / stride);
    const std::int64_t last = size + padding - (kernel - 1) * dilation - 1; // the last place a window may start at, from -padding on
    return {first, std::max(first, std::min(positions, last < 0 ? 0 : last / stride + 1))};
}

/// Positions that are made at a time where their windows are whole: the entries of one tap are laid side by side, and compared as
/// vectors with the best so far. The taps come in the order that they have in a window.
constexpr std::int64_t pooled_together = 512;

template <class T> struct WholeWindows {
    const Planes& p;
    Whole rows, columns;
    std::int64_t lines; ///< of positions that are made together
    explicit WholeWindows(const Planes& planes)
        : p(planes), rows(whole_windows(p.out_height, p.window.stride_h, p.window.padding_h, p.window.kernel_h, p.window.dilation_h,
                                        p.height)),
          columns(whole_windows(p.out_width, p.window.stride_w, p.window.padding_w, p.window.kernel_w, p.window.dilation_w, p.width)),
          lines(0) {
        if (columns.until > columns.first) lines = pooled_together / (columns.until - columns.first);
        if (lines == 0) rows.until = rows.first; // too wide a plane: one position at a time
    }
    bool has(std::int64_t h, std::int64_t u) const {
        return h >= rows.first && h < rows.until && u >= columns.first && u < columns.until;
    }
    void make(const WindowLoops<T>& loops, const T* x, T* y, std::int32_t* switches) const {
        alignas(64) T value[pooled_together], best[pooled_together];
        alignas(64) std::int32_t place[pooled_together], winner[pooled_together];
        const std::int64_t across = columns.until - columns.first;
        for (std::int64_t from = rows.first; from < rows.until; from += lines) {
            const std::int64_t count = std::min(lines, rows.until - from), positions = count * across;
            const auto start = [&](std::int64_t line) { // of the first window of a line
                return ((from + line) * p.window.stride_h - p.window.padding_h) * p.width + columns.first * p.window.stride_w -
                       p.window.padding_w;
            };
            for (std::int64_t line = 0; line < count; ++line)
                for (std::int64_t u = 0; u < across; ++u)
                    place[line * across + u] = static_cast<std::int32_t>(start(line) + u * p.window.stride_w);
            for (std::int64_t i = 0; i < p.window.kernel_h; ++i)
                for (std::int64_t j = 0; j < p.window.kernel_w; ++j) {
                    const std::int64_t tap = i * p.window.dilation_h * p.width + j * p.window.dilation_w;
                    T* to = i == 0 && j == 0 ? best : value;
                    for (std::int64_t line = 0; line < count; ++line) {
                        const T* entry = x + start(line) + tap;
                        for (std::int64_t u = 0; u < across; ++u) to[line * across + u] = entry[u * p.window.stride_w];
                    }
                    if (to == best) std::copy_n(place, positions, winner);
                    else loops.larger(value, place, static_cast<std::int32_t>(tap), best, winner, positions);
                }
            for (std::int64_t line = 0; line < count; ++line) {
                const std::int64_t at = (from + line) * p.out_width + columns.first;
                std::copy_n(best + line * across, across, y + at);
                std::copy_n(winner + line * across, across, switches + at);
            }
        }
    }
};

// x -> (y, switches)
template <class T> GradusStatus run_max_pool2d(const GradusCall* call) {
    const Planes p = planes_of(call, call->inputs[0], call->outputs[0]);
    const WholeWindows<T> whole(p);
    over_planes(call, p, p.positions() * p.window.kernel_h * p.window.kernel_w, [&](std::int64_t plane) {
        const T* x = in<T>(call, 0) + plane * p.plane();
        T* y = out<T>(call, 0) + plane * p.positions();
        auto* switches = out<std::int32_t>(call, 1) + plane * p.positions();
        whole.make(path_of<T>(call).windows, x, y, switches);
        for (std::int64_t h = 0; h < p.out_height; ++h)
            for (std::int64_t u = 0; u < p.out_width; ++u)
                if (whole.has(h, u)) u = whole.columns.until - 1;
                else max_at(p, x, h, u, y, switches);
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
