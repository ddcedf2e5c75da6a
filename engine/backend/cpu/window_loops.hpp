#pragma once

#include <cstdint>

namespace gradus::cpu {

/// Taps of a convolution of single channels, over planes that lie with their border around them: output i is
/// Σ_t w_t · x[offset_t + i], a chain in the order of t.
template <class T> struct Taps1d {
    const T* x = nullptr;
    const T* w = nullptr;
    const std::int64_t* offset = nullptr;
    T* y = nullptr;
    std::int64_t taps = 0, count = 0;
};

/// The sums of a weight's gradient: sum_t += Σ dy[row · dy_row + i] · x[offset_t + row · x_row + i].
template <class T> struct TapSums {
    const T* dy = nullptr;
    const T* x = nullptr;
    const std::int64_t* offset = nullptr;
    double* sum = nullptr;
    std::int64_t taps = 0, rows = 0, columns = 0, dy_row = 0, x_row = 0;
};

/// What one ISA path computes for windows that move over planes.
template <class T> struct WindowLoops {
    /// best_i = value_i and winner_i = place_i + tap where value_i is larger, or a NaN.
    void (*larger)(const T* value, const std::int32_t* place, std::int32_t tap, T* best, std::int32_t* winner, std::int64_t count);
    void (*convolve)(const Taps1d<T>&);
    void (*tap_sums)(const TapSums<T>&);
};

} // namespace gradus::cpu
