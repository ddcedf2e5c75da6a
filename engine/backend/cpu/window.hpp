// Loops of windows that move over planes, of one ISA path. Included once per path.
#pragma once

#include "engine/backend/cpu/elementwise.hpp"
#include "engine/backend/cpu/vector.hpp"
#include "engine/backend/cpu/window_loops.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::Taps1d;
using cpu::TapSums;

template <class T>
static void window_larger(const T* __restrict value, const std::int32_t* __restrict place, std::int32_t tap, T* __restrict best,
                          std::int32_t* __restrict winner, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
        const bool better = (value[i] > best[i]) | (value[i] != value[i]);
        best[i] = better ? value[i] : best[i];
        winner[i] = better ? place[i] + tap : winner[i];
    }
}

/// Vectors [i, i + V) of outputs, held in registers while the taps run.
template <class T, int V> static inline void convolve_block(const Taps1d<T>& c, std::int64_t i) {
    Vec<T> sum[V];
    for (int v = 0; v < V; ++v) sum[v] = Vec<T>::zero();
    for (std::int64_t t = 0; t < c.taps; ++t) {
        const Vec<T> w = Vec<T>::broadcast(c.w + t);
        for (int v = 0; v < V; ++v) sum[v].multiply_add(w, Vec<T>::load(c.x + c.offset[t] + i + v * Vec<T>::width));
    }
    for (int v = 0; v < V; ++v) sum[v].store(c.y + i + v * Vec<T>::width);
}
template <class T> static void window_convolve(const Taps1d<T>& c) {
    constexpr int width = Vec<T>::width, at_once = 6;
    std::int64_t i = 0;
    for (; i + at_once * width <= c.count; i += at_once * width) convolve_block<T, at_once>(c, i);
    for (; i + width <= c.count; i += width) convolve_block<T, 1>(c, i);
    for (; i < c.count; ++i) {
        T sum = T(0);
        for (std::int64_t t = 0; t < c.taps; ++t) sum = madd(c.w[t], c.x[c.offset[t] + i], sum);
        c.y[i] = sum;
    }
}

/// Taps [tap, tap + N): a vector of sums each.
template <class T, int N> static inline void sum_taps(const TapSums<T>& s, std::int64_t tap) {
    constexpr int width = Vec<T>::width;
    Vec<T> sum[N];
    T rest[N] = {};
    for (int t = 0; t < N; ++t) sum[t] = Vec<T>::zero();
    for (std::int64_t row = 0; row < s.rows; ++row) {
        const T *dy = s.dy + row * s.dy_row, *x = s.x + row * s.x_row;
        std::int64_t i = 0;
        for (; i + width <= s.columns; i += width) {
            const Vec<T> d = Vec<T>::load(dy + i);
            for (int t = 0; t < N; ++t) sum[t].multiply_add(d, Vec<T>::load(x + s.offset[tap + t] + i));
        }
        for (; i < s.columns; ++i)
            for (int t = 0; t < N; ++t) rest[t] = madd(dy[i], x[s.offset[tap + t] + i], rest[t]);
    }
    for (int t = 0; t < N; ++t) {
        alignas(64) T lanes[width];
        sum[t].store(lanes);
        double total = static_cast<double>(rest[t]);
        for (int lane = 0; lane < width; ++lane) total += static_cast<double>(lanes[lane]);
        s.sum[tap + t] += total;
    }
}
template <class T> static void window_tap_sums(const TapSums<T>& s) {
    std::int64_t tap = 0;
    for (; tap + 5 <= s.taps; tap += 5) sum_taps<T, 5>(s, tap);
    for (; tap < s.taps; ++tap) sum_taps<T, 1>(s, tap);
}

template <class T> static constexpr cpu::WindowLoops<T> window_loops() {
    return {window_larger<T>, window_convolve<T>, window_tap_sums<T>};
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
