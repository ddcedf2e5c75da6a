#include "engine/backend/cpu/kernel_parts.hpp"

namespace gradus::cpu {

namespace {

/// Neighbouring running sums that are made together where the axis is not the innermost.
constexpr std::int64_t scan_columns = 256;

// y_i = Σ_{j <= i} x_j along an axis; attributes: axis, exclusive, from the last element backwards. One chain in double precision
// per line, in the axis' order, so that no cut changes a bit.
template <class T> GradusStatus run_prefix_scan(const GradusCall* call) {
    const GradusArray& x = call->inputs[0];
    const auto axis = static_cast<int>(call->attributes[0]);
    const bool exclusive = call->attributes[1] != 0, backwards = call->attributes[2] != 0;
    std::int64_t outer = 1, inner = 1;
    for (int i = 0; i < axis; ++i) outer *= x.sizes[i];
    for (int i = axis + 1; i < x.rank; ++i) inner *= x.sizes[i];
    const std::int64_t count = x.sizes[axis], blocks = (inner + scan_columns - 1) / scan_columns;
    if (elements(x) == 0) return GRADUS_OK;
    over_pieces(call, outer * blocks, count * (inner / blocks), [&](std::int64_t from, std::int64_t until) {
        double sum[scan_columns];
        for (std::int64_t task = from; task < until; ++task) {
            const std::int64_t first = inner * (task % blocks) / blocks, columns = inner * (task % blocks + 1) / blocks - first;
            const std::int64_t line = task / blocks * count * inner + first;
            if (inner == 1) { // the sum stays in a register
                const T* from_x = in<T>(call, 0) + line;
                T* to = out<T>(call, 0) + line;
                double running = 0;
                for (std::int64_t i = 0; i < count; ++i) {
                    const std::int64_t at = backwards ? count - 1 - i : i;
                    const double before = running;
                    running += static_cast<double>(from_x[at]);
                    to[at] = static_cast<T>(exclusive ? before : running);
                }
                continue;
            }
            std::fill(sum, sum + columns, 0.0);
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t at = line + (backwards ? count - 1 - i : i) * inner;
                const T* from_x = in<T>(call, 0) + at;
                T* to = out<T>(call, 0) + at;
                for (std::int64_t j = 0; j < columns; ++j) {
                    const double before = sum[j];
                    sum[j] += static_cast<double>(from_x[j]);
                    to[j] = static_cast<T>(exclusive ? before : sum[j]);
                }
            }
        }
    });
    return GRADUS_OK;
}

} // namespace

std::span<const Kernel> scan_kernels() {
    static constexpr std::array<Kernel, 2> kernels{{
        {"prefix_scan", DType::f32, run_prefix_scan<float>},
        {"prefix_scan", DType::f64, run_prefix_scan<double>},
    }};
    return kernels;
}

} // namespace gradus::cpu
