// Normalisations of one ISA path. Included once per path.
#pragma once

#include "engine/backend/cpu/norm_loops.hpp"
#include "engine/backend/cpu/vector.hpp"

#include <cstring>

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::NormRow;

/// Eight lanes of double precision; the compiler makes of them what the path's registers hold.
typedef double Lanes __attribute__((vector_size(64)));
template <class T> struct EightOf;
template <> struct EightOf<float> { typedef float type __attribute__((vector_size(32))); };
template <> struct EightOf<double> { typedef double type __attribute__((vector_size(64))); };

template <class T> static inline void load_lanes(const T* x, Lanes& out) {
    typename EightOf<T>::type eight;
    std::memcpy(&eight, x, sizeof eight);
    out = __builtin_convertvector(eight, Lanes);
}
static inline double sum_of_lanes(const Lanes& l) { return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7])); }

template <class T> static double norm_sum(const T* x, std::int64_t count) {
    Lanes sum = {}, v;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        load_lanes(x + i, v);
        sum += v;
    }
    for (int lane = 0; lane < 8 && i < count; ++i, ++lane) sum[lane] += static_cast<double>(x[i]);
    return sum_of_lanes(sum);
}

template <class T> static double norm_squares(const T* x, std::int64_t count, double center) {
    Lanes sum = {}, v;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        load_lanes(x + i, v);
        v -= center;
        sum += v * v;
    }
    for (int lane = 0; lane < 8 && i < count; ++i, ++lane) {
        const double d = static_cast<double>(x[i]) - center;
        sum[lane] += d * d;
    }
    return sum_of_lanes(sum);
}

template <class T>
static double norm_add_and_sum(const T* __restrict x, const T* __restrict r, T* __restrict s, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) s[i] = x[i] + r[i];
    return norm_sum(s, count);
}

template <class T>
static void norm_normalize(const T* __restrict x, const T* __restrict w, const T* __restrict b, T* __restrict y,
                           std::int64_t count, double mean, double rstd) {
    if (b)
        for (std::int64_t i = 0; i < count; ++i)
            y[i] =
                static_cast<T>((static_cast<double>(x[i]) - mean) * rstd * static_cast<double>(w[i]) + static_cast<double>(b[i]));
    else
        for (std::int64_t i = 0; i < count; ++i)
            y[i] = static_cast<T>((static_cast<double>(x[i]) - mean) * rstd * static_cast<double>(w[i]));
}

constexpr int norm_lanes = 64;

/// Σ (x_i - center) and Σ (x_i - center)².
static void sums_around(const float* x, std::int64_t count, float center, double& sum, double& squares) {
    constexpr int width = Vec<float>::width, vectors = norm_lanes / width;
    const Vec<float> middle = Vec<float>::broadcast(&center);
    sum = squares = 0;
    for (std::int64_t i = 0, until; i < count; i = until) {
        until = count - i < 16 * norm_lanes ? count : i + 16 * norm_lanes;
        Vec<float> lane[vectors], square[vectors];
        for (int v = 0; v < vectors; ++v) lane[v] = square[v] = Vec<float>::zero();
        for (; i + norm_lanes <= until; i += norm_lanes)
            for (int v = 0; v < vectors; ++v) {
                const Vec<float> d = Vec<float>::load(x + i + v * width) - middle;
                lane[v] = lane[v] + d;
                square[v] = square[v] + d * d;
            }
        alignas(64) float lanes[norm_lanes], squares_of[norm_lanes];
        for (int v = 0; v < vectors; ++v) lane[v].store(lanes + v * width), square[v].store(squares_of + v * width);
        for (int j = 0; i < until; ++i, ++j) {
            const float d = x[i] - center;
            lanes[j] += d;
            squares_of[j] += d * d;
        }
        sum += norm_sum(lanes, norm_lanes);
        squares += norm_sum(squares_of, norm_lanes);
    }
}

/// Mean and Σ (x - mean)² of a long row in one pass over it. The center is the mean of its first 64 entries: it is off the mean by
/// little against the deviation, unless these entries are unlike the others. False where the sums would lose digits.
static bool moments_in_lanes(const float* x, std::int64_t count, bool centers, double& mean, double& squares) {
    if (count < 2 * norm_lanes) return false;
    const float center = centers ? static_cast<float>(norm_sum(x, norm_lanes) / norm_lanes) : 0.0f;
    double sum, around_center;
    sums_around(x, count, center, sum, around_center);
    const double off = centers ? sum / static_cast<double>(count) : 0;
    mean = static_cast<double>(center) + off;
    squares = around_center - off * off * static_cast<double>(count);
    return squares > 1e-20 && squares < 1e30 && squares > around_center / 16;
}
static inline bool moments_in_lanes(const double*, std::int64_t, bool, double&, double&) { return false; }

/// As norm_normalize, in the row's own precision: the mean in two parts, so that x - mean keeps its digits where x lies far from 0.
static void normalize_in_lanes(const NormRow<float>& r) {
    const float high = static_cast<float>(r.mean), low = static_cast<float>(r.mean - static_cast<double>(high));
    const float scale = static_cast<float>(r.rstd);
    constexpr std::int64_t part = 512;
    alignas(64) float room[part];
    for (std::int64_t from = 0; from < r.count; from += part) {
        const std::int64_t entries = r.count - from < part ? r.count - from : part;
        const float* __restrict x = r.x + from;
        const float* __restrict w = r.w + from;
        float* __restrict y = r.streamed ? room : r.y + from;
        if (r.b) {
            const float* __restrict b = r.b + from;
            for (std::int64_t i = 0; i < entries; ++i) y[i] = (x[i] - high - low) * scale * w[i] + b[i];
        } else {
            for (std::int64_t i = 0; i < entries; ++i) y[i] = (x[i] - high - low) * scale * w[i];
        }
        if (r.streamed) stream_copy(room, r.y + from, entries);
    }
}
static inline void normalize_in_lanes(const NormRow<double>&) {} // there are no fast sums of them

template <class T> static void norm_row(NormRow<T>& r) {
    const double count = static_cast<double>(r.count);
    double mean = 0, squares = 0;
    const bool fast = moments_in_lanes(r.x, r.count, r.centers, mean, squares);
    if (!fast) {
        mean = r.centers ? norm_sum(r.x, r.count) / count : 0;
        squares = norm_squares(r.x, r.count, mean);
    }
    r.mean = mean;
    r.rstd = 1.0 / __builtin_sqrt(squares / count + r.eps);
    if (fast) normalize_in_lanes(r);
    else norm_normalize(r.x, r.w, r.b, r.y, r.count, mean, r.rstd);
}

template <class T>
static void norm_scale_and_shift(const T* __restrict x, T* __restrict y, std::int64_t count, double mean, double scale,
                                 double shift) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = static_cast<T>((static_cast<double>(x[i]) - mean) * scale + shift);
}

template <class T> static void norm_moments(const T* dy, const T* x, const T* w, std::int64_t count, double mean, double* sums) {
    Lanes sum = {}, product = {}, rest = {}, g, v, scale;
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8) {
        load_lanes(dy + i, g);
        load_lanes(x + i, v);
        if (w) {
            load_lanes(w + i, scale);
            g *= scale;
        }
        v -= mean;
        sum += g;
        product += g * v;
        rest += v;
    }
    for (int lane = 0; lane < 8 && i < count; ++i, ++lane) {
        const double gradient = static_cast<double>(dy[i]) * (w ? static_cast<double>(w[i]) : 1.0);
        const double d = static_cast<double>(x[i]) - mean;
        sum[lane] += gradient;
        product[lane] += gradient * d;
        rest[lane] += d;
    }
    sums[0] = sum_of_lanes(sum);
    sums[1] = sum_of_lanes(product);
    sums[2] = sum_of_lanes(rest);
}

template <class T>
static void norm_row_gradient(const T* __restrict dy, const T* __restrict x, const T* __restrict w, const T* __restrict more,
                              T* __restrict dx, std::int64_t count, double mean, double rstd, double a, double b,
                              double* __restrict dw, double* __restrict db) {
    for (std::int64_t i = 0; i < count; ++i) {
        const double g = static_cast<double>(dy[i]), normal = (static_cast<double>(x[i]) - mean) * rstd;
        const double d = (g * static_cast<double>(w[i]) - a - normal * b) * rstd;
        dx[i] = static_cast<T>(more ? d + static_cast<double>(more[i]) : d);
        dw[i] += g * normal;
        db[i] += g;
    }
}

template <class T>
static void norm_gradient(const T* __restrict dy, const T* __restrict x, T* __restrict dx, std::int64_t count, double mean,
                          double rstd, double scale, double a, double b) {
    for (std::int64_t i = 0; i < count; ++i)
        dx[i] = static_cast<T>(static_cast<double>(dy[i]) * scale - a - (static_cast<double>(x[i]) - mean) * rstd * b);
}

template <class T> static constexpr cpu::NormLoops<T> norm_loops() {
    return {
        .sum = norm_sum<T>,
        .squares = norm_squares<T>,
        .add_and_sum = norm_add_and_sum<T>,
        .row = norm_row<T>,
        .normalize = norm_normalize<T>,
        .scale_and_shift = norm_scale_and_shift<T>,
        .moments = norm_moments<T>,
        .row_gradient = norm_row_gradient<T>,
        .gradient = norm_gradient<T>,
    };
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
