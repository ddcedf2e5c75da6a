// Normalisations of rows: layer_norm, rms_norm and their forms with an addition; group_norm, whose rows are groups of channels.
#include "engine/backend/cpu/norm_parts.hpp"

namespace gradus::cpu {

namespace {

/// The last axis is a row.
struct RowsOf {
    std::int64_t rows, columns;
};
RowsOf rows_of(const GradusArray& x) {
    const std::int64_t columns = x.sizes[x.rank - 1];
    std::int64_t rows = 1;
    for (int axis = 0; axis + 1 < x.rank; ++axis) rows *= x.sizes[axis];
    return {rows, columns};
}

// (x, w, b?) -> (y, mean?, rstd), or (x, r, w, b?) -> (s, y, mean?, rstd)
template <class T, bool Adds, bool Centers> GradusStatus run_row_norm(const GradusCall* call) {
    const auto& loops = path_of<T>(call).norms;
    const auto [rows, columns] = rows_of(call->inputs[0]);
    const double eps = call->attributes[0];
    constexpr int weight = Adds ? 2 : 1, normal = Adds ? 1 : 0;
    const T *x = in<T>(call, 0), *w = in<T>(call, weight), *b = Centers ? in<T>(call, weight + 1) : nullptr;
    T* y = out<T>(call, normal);
    T* means = Centers ? out<T>(call, normal + 1) : nullptr;
    T* rstds = out<T>(call, normal + (Centers ? 2 : 1));
    const bool streamed = is_streamed<T>(call);
    over_pieces(call, rows, columns, [&, columns = columns](std::int64_t from, std::int64_t until) {
        for (std::int64_t row = from; row < until; ++row) {
            NormRow<T> one{x + row * columns, w, b, y + row * columns, columns, eps, Centers, streamed};
            if (Adds) {
                T* s = out<T>(call, 0) + row * columns;
                loops.add_and_sum(one.x, in<T>(call, 1) + row * columns, s, columns);
                one.x = s;
            }
            loops.row(one);
            if (Centers) means[row] = static_cast<T>(one.mean);
            rstds[row] = static_cast<T>(one.rstd);
        }
        if (streamed) stores_in_order();
    });
    return GRADUS_OK;
}

// (dy, x, w, mean?, rstd, ds?) -> (dx, dw, db?)
template <class T, bool Centers> GradusStatus run_row_norm_backward(const GradusCall* call) {
    const auto& loops = path_of<T>(call).norms;
    const auto [rows, columns] = rows_of(call->inputs[1]);
    constexpr int statistics = Centers ? 5 : 4; // the inputs up to them
    const T *dy = in<T>(call, 0), *x = in<T>(call, 1), *w = in<T>(call, 2), *means = Centers ? in<T>(call, 3) : nullptr;
    const T *rstds = in<T>(call, statistics - 1), *ds = call->input_count > statistics ? in<T>(call, statistics) : nullptr;
    T* dx = out<T>(call, 0);
    const auto block = [&, columns = columns](std::int64_t from, std::int64_t until, double* dw, double* db) {
        for (std::int64_t row = from; row < until; ++row) {
            const std::int64_t at = row * columns;
            const double rstd = static_cast<double>(rstds[row]), count = static_cast<double>(columns);
            double sums[3];
            loops.moments(dy + at, x + at, w, columns, Centers ? static_cast<double>(means[row]) : 0, sums);
            const GradientSums s =
                Centers ? centered(static_cast<double>(means[row]), rstd, count, sums) : GradientSums{0, 0, sums[1] * rstd};
            loops.row_gradient(dy + at, x + at, w, ds ? ds + at : nullptr, dx + at, columns, s.mean, rstd, s.along_one / count,
                               s.along_x / count, dw, db);
        }
    };
    return sum_over_rows(call, rows, columns, columns, out<T>(call, 1), Centers ? out<T>(call, 2) : nullptr, block);
}

/// x (N, C, …) as rows of one group of one image each.
struct Groups {
    Channels of;
    std::int64_t groups, channels, row; ///< channels and entries of one group
};
Groups groups_of(const GradusCall* call, const GradusArray& x) {
    const Channels c = channels_of(x);
    const auto groups = static_cast<std::int64_t>(call->attributes[1]);
    return {c, groups, c.channels / groups, c.channels / groups * c.entries};
}

// (x, w, b) -> (y, mean, rstd)
template <class T> GradusStatus run_group_norm(const GradusCall* call) {
    const auto& loops = path_of<T>(call).norms;
    const Groups g = groups_of(call, call->inputs[0]);
    const T *x = in<T>(call, 0), *w = in<T>(call, 1), *b = in<T>(call, 2);
    T *y = out<T>(call, 0), *means = out<T>(call, 1), *rstds = out<T>(call, 2);
    over_pieces(call, g.of.images * g.groups, g.row, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t row = from; row < until; ++row) {
            const T* line = x + row * g.row;
            const double mean = loops.sum(line, g.row) / static_cast<double>(g.row);
            const double rstd =
                inverse_deviation(loops.squares(line, g.row, mean) / static_cast<double>(g.row), call->attributes[0]);
            const std::int64_t channel = row % g.groups * g.channels;
            if (g.of.entries == 1) loops.normalize(line, w + channel, b + channel, y + row * g.row, g.row, mean, rstd);
            else
                for (std::int64_t c = 0; c < g.channels; ++c)
                    loops.scale_and_shift(line + c * g.of.entries, y + row * g.row + c * g.of.entries, g.of.entries, mean,
                                          rstd * static_cast<double>(w[channel + c]), static_cast<double>(b[channel + c]));
            means[row] = static_cast<T>(mean);
            rstds[row] = static_cast<T>(rstd);
        }
    });
    return GRADUS_OK;
}

// (dy, x, w, rstd) -> (dx, dw, db). The mean is made again, with the digits that one saved in fp32 would lack.
template <class T> GradusStatus run_group_norm_backward(const GradusCall* call) {
    const auto& loops = path_of<T>(call).norms;
    const Groups g = groups_of(call, call->inputs[1]);
    const T *dy = in<T>(call, 0), *x = in<T>(call, 1), *w = in<T>(call, 2), *rstds = in<T>(call, 3);
    T* dx = out<T>(call, 0);
    const double count = static_cast<double>(g.row);
    // What a channel adds to ∂b and ∂w it adds, times its weight, to its row's sums.
    const auto one_row = [&](std::int64_t row, double* dw, double* db) {
        const std::int64_t at = row * g.row, channel = row % g.groups * g.channels, entries = g.of.entries;
        const double rstd = static_cast<double>(rstds[row]), mean = loops.sum(x + at, g.row) / count;
        double along_one = 0, along_x = 0, sums[3];
        for (std::int64_t c = 0; c < g.channels; ++c) {
            loops.moments(dy + at + c * entries, x + at + c * entries, nullptr, entries, mean, sums);
            const double weight = static_cast<double>(w[channel + c]);
            along_one += weight * sums[0], along_x += weight * sums[1] * rstd;
            db[channel + c] += sums[0], dw[channel + c] += sums[1] * rstd;
        }
        for (std::int64_t c = 0; c < g.channels; ++c)
            loops.gradient(dy + at + c * entries, x + at + c * entries, dx + at + c * entries, entries, mean, rstd,
                           rstd * static_cast<double>(w[channel + c]), rstd * (along_one / count), rstd * (along_x / count));
    };
    const auto block = [&](std::int64_t from, std::int64_t until, double* dw, double* db) {
        for (std::int64_t row = from * g.groups; row < until * g.groups; ++row) one_row(row, dw, db);
    };
    return sum_over_rows(call, g.of.images, g.of.channels * g.of.entries, g.of.channels, out<T>(call, 1), out<T>(call, 2), block);
}

template <class T> constexpr std::array<Kernel, 8> typed() {
    constexpr DType t = dtype_of<T>;
    return {{
        {"layer_norm", t, run_row_norm<T, false, true>},
        {"add_layer_norm", t, run_row_norm<T, true, true>},
        {"layer_norm_backward", t, run_row_norm_backward<T, true>},
        {"rms_norm", t, run_row_norm<T, false, false>},
        {"add_rms_norm", t, run_row_norm<T, true, false>},
        {"rms_norm_backward", t, run_row_norm_backward<T, false>},
        {"group_norm", t, run_group_norm<T>},
        {"group_norm_backward", t, run_group_norm_backward<T>},
    }};
}

} // namespace

std::span<const Kernel> norm_kernels() {
    static constexpr auto kernels = both(typed<float>(), typed<double>());
    return kernels;
}

} // namespace gradus::cpu
