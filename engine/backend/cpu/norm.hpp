// Normalisations of one ISA path. Included once per path.
#pragma once

#include "engine/backend/cpu/norm_loops.hpp"

#include <cstring>

namespace gradus::GRADUS_MATH_NAMESPACE {

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
    for (int lane = 0; i < count; ++i, ++lane) sum[lane] += static_cast<double>(x[i]);
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
    for (int lane = 0; i < count; ++i, ++lane) {
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
    for (int lane = 0; i < count; ++i, ++lane) {
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
        .normalize = norm_normalize<T>,
        .scale_and_shift = norm_scale_and_shift<T>,
        .moments = norm_moments<T>,
        .row_gradient = norm_row_gradient<T>,
        .gradient = norm_gradient<T>,
    };
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
