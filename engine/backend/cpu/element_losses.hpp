// Losses summed element by element, of one ISA path. Included once per path, after softmax.hpp. Formulas stand at the ops
// (engine/ops/element_losses.hpp).
#pragma once

#include "engine/backend/cpu/element_losses_loops.hpp"
#include "engine/backend/cpu/softmax.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::ElementLoss;

/// Σ of(x, target), both as fp64. The terms of a part are made in one loop, so that vectors make them.
template <class T, class Of> [[gnu::flatten]] static double sum_of_terms(const ElementLoss<T>& r, Of of) {
    constexpr std::int64_t part = 256;
    double terms[part], sum = 0;
    for (std::int64_t from = 0; from < r.count; from += part) {
        const std::int64_t entries = r.count - from < part ? r.count - from : part;
        const T* __restrict x = r.x + from;
        const T* __restrict target = r.target + from;
        for (std::int64_t i = 0; i < entries; ++i) terms[i] = of(static_cast<double>(x[i]), static_cast<double>(target[i]));
        sum += row_sum(terms, entries);
    }
    return sum;
}

/// ln p and ln(1 - p), at least -100; a NaN stays.
static inline double limited_log(double p) {
    const double y = log(p);
    return y < -100.0 ? -100.0 : y;
}
static inline double limited_log_rest(double p) {
    const double rest = 1.0 - p, dropped = (1.0 - rest) - p; // what rounding dropped: all of p where it is small
    const double y = rest == 0.0 ? log(rest) : log(rest) + dropped / rest;
    return y < -100.0 ? -100.0 : y;
}

template <class T> static double bce(const ElementLoss<T>& r) {
    return sum_of_terms(r, [](double p, double y) { return -(y * limited_log(p) + (1.0 - y) * limited_log_rest(p)); });
}
/// dp = scale · (p - y) / max(p · (1 - p), 1e-12), the limit rounded to fp32 in every type, as PyTorch has it.
template <class T> static void bce_backward(const ElementLoss<T>& r) {
    const T scale = static_cast<T>(r.scale);
    for (std::int64_t i = 0; i < r.count; ++i) {
        const T p = r.x[i], spread = p * (T(1) - p);
        r.out[i] = scale * (p - r.target[i]) / (spread < T(1e-12f) ? T(1e-12f) : spread);
    }
}
/// dy = scale · (ln(1 - p) - ln p).
template <class T> [[gnu::flatten]] static void bce_target_backward(const ElementLoss<T>& r) {
    for (std::int64_t i = 0; i < r.count; ++i) {
        const double p = static_cast<double>(r.x[i]);
        r.out[i] = static_cast<T>(r.scale * (limited_log_rest(p) - limited_log(p)));
    }
}

template <class T> static double kl_div(const ElementLoss<T>& r) {
    return sum_of_terms(r, [](double x, double t) { return t == 0.0 ? 0.0 : t * (log(t) - x); });
}
/// dx = -scale · t.
template <class T> static void kl_div_backward(const ElementLoss<T>& r) {
    const T scale = static_cast<T>(-r.scale);
    for (std::int64_t i = 0; i < r.count; ++i) r.out[i] = scale * r.target[i];
}
/// dt = scale · (ln t + 1 - x).
template <class T> [[gnu::flatten]] static void kl_div_target_backward(const ElementLoss<T>& r) {
    for (std::int64_t i = 0; i < r.count; ++i)
        r.out[i] = static_cast<T>(r.scale * (log(static_cast<double>(r.x[i])) + 1.0 - static_cast<double>(r.target[i])));
}

template <class T> static double smooth_l1(const ElementLoss<T>& r) {
    return sum_of_terms(r, [beta = r.beta](double x, double t) {
        const double distance = x < t ? t - x : x - t;
        return distance < beta ? 0.5 * distance * distance / beta : distance - 0.5 * beta;
    });
}
/// dx = scale · d/β where |d| < β, else scale · sign d, and 0 where d is; d = x - t.
template <class T> static void smooth_l1_backward(const ElementLoss<T>& r) {
    const T scale = static_cast<T>(r.scale), beta = static_cast<T>(r.beta);
    for (std::int64_t i = 0; i < r.count; ++i) {
        const T d = r.x[i] - r.target[i], distance = d < T(0) ? -d : d;
        const T side = d < T(0) ? T(-1) : d > T(0) ? T(1) : d; // a NaN stays
        r.out[i] = scale * (distance < beta ? d / beta : side);
    }
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
