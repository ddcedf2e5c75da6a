// Optimizers of one ISA path. Included once per path, after elementwise.hpp. Formulas stand at the ops (engine/ops/update.hpp).
#pragma once

#include "engine/backend/cpu/elementwise.hpp"
#include "engine/backend/cpu/update_loops.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::Update;

// A root is exact on every machine.
static inline float root_of(float x) { return __builtin_sqrtf(x); }
static inline double root_of(double x) { return __builtin_sqrt(x); }

template <class T> static void momentum_lr(const Update<T>& u) {
    const T rate = -u.rate;
GRADUS_IVDEP
    for (std::int64_t i = u.from; i < u.until; ++i) {
        const T velocity = madd(u.beta, u.state[i], rate * u.g[i]);
        u.out_state[i] = velocity;
        u.out_w[i] = u.w[i] + velocity;
    }
}

template <class T> static void nesterov(const Update<T>& u) {
    const T rate = -u.rate;
GRADUS_IVDEP
    for (std::int64_t i = u.from; i < u.until; ++i) {
        const T g = u.g[i], velocity = madd(u.beta, u.state[i], g);
        u.out_state[i] = velocity;
        u.out_w[i] = madd(rate, madd(u.beta, velocity, g), u.w[i]);
    }
}

template <class T> static void rmsprop(const Update<T>& u) {
    const T rate = -u.rate;
GRADUS_IVDEP
    for (std::int64_t i = u.from; i < u.until; ++i) {
        const T g = u.g[i], square = madd(u.beta, u.state[i], u.rest * g * g);
        u.out_state[i] = square;
        u.out_w[i] = madd(rate, g / (root_of(square) + u.eps), u.w[i]);
    }
}

template <class T> static void adam(const Update<T>& u) {
    const T rate = -u.rate;
GRADUS_IVDEP
    for (std::int64_t i = u.from; i < u.until; ++i) {
        const T g = u.g[i], first = madd(u.beta, u.state[i], u.rest * g), second = madd(u.beta2, u.state2[i], u.rest2 * g * g);
        u.out_state[i] = first;
        u.out_state2[i] = second;
        u.out_w[i] = madd(rate, first / madd(root_of(second), u.root, u.eps), u.keep * u.w[i]);
    }
}

template <class T> static void add_share(const Update<T>& u) {
GRADUS_IVDEP
    for (std::int64_t i = u.from; i < u.until; ++i) u.out_w[i] = madd(u.rate, u.g[i], u.keep * u.w[i]);
}

/// In eight lanes, so that a vector holds them; the order is the same on every path.
template <class T> static double sum_of_squares(const T* x, std::int64_t count) {
    double lane[8] = {};
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        for (int k = 0; k < 8; ++k) {
            const double value = static_cast<double>(x[i + k]);
            lane[k] = madd(value, value, lane[k]);
        }
    for (; i < count; ++i) lane[0] = madd(static_cast<double>(x[i]), static_cast<double>(x[i]), lane[0]);
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
