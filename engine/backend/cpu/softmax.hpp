// Softmax and log-softmax of one ISA path, along rows or strips of columns. Included once per path. Formulas stand at the ops
// (engine/ops/softmax.hpp).
#pragma once

#include "engine/backend/cpu/softmax_loops.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::SoftmaxLines;
using cpu::strip_columns;

// Eight lanes, so that vectors are summed and the order of a sum is the same on every path.
constexpr int line_lanes = 8;

template <class T> static double row_sum(const T* x, std::int64_t count) {
    double lane[line_lanes] = {}, sum = 0;
    std::int64_t j = 0;
    for (; j + line_lanes <= count; j += line_lanes)
        for (int i = 0; i < line_lanes; ++i) lane[i] += static_cast<double>(x[j + i]);
    for (; j < count; ++j) sum += static_cast<double>(x[j]);
    for (int i = 0; i < line_lanes; ++i) sum += lane[i];
    return sum;
}
template <class T> static double row_product(const T* x, const T* y, std::int64_t count) {
    double lane[line_lanes] = {}, sum = 0;
    std::int64_t j = 0;
    for (; j + line_lanes <= count; j += line_lanes)
        for (int i = 0; i < line_lanes; ++i) lane[i] += static_cast<double>(x[j + i]) * static_cast<double>(y[j + i]);
    for (; j < count; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(y[j]);
    for (int i = 0; i < line_lanes; ++i) sum += lane[i];
    return sum;
}
/// The largest of at least one entry.
template <class T> static T row_largest(const T* x, std::int64_t count) {
    T lane[line_lanes], most = x[0];
    for (int i = 0; i < line_lanes; ++i) lane[i] = most;
    std::int64_t j = 0;
    for (; j + line_lanes <= count; j += line_lanes)
        for (int i = 0; i < line_lanes; ++i) lane[i] = lane[i] < x[j + i] ? x[j + i] : lane[i];
    for (; j < count; ++j) most = most < x[j] ? x[j] : most;
    for (int i = 0; i < line_lanes; ++i) most = most < lane[i] ? lane[i] : most;
    return most;
}
/// out = e^(x - most). A function of its own, since the compiler vectorises it only where exp is put in place of its call.
template <class T> [[gnu::flatten]] static void row_exp(const T* __restrict x, T* __restrict out, std::int64_t count, T most) {
    for (std::int64_t j = 0; j < count; ++j) out[j] = exp(x[j] - most);
}
/// Σ e^(x - most).
template <class T> static double row_exp_sum(const T* x, std::int64_t count, T most) {
    constexpr std::int64_t part = 256;
    T powers[part];
    double sum = 0;
    for (std::int64_t from = 0; from < count; from += part) {
        const std::int64_t entries = count - from < part ? count - from : part;
        row_exp(x + from, powers, entries, most);
        sum += row_sum(powers, entries);
    }
    return sum;
}

/// The largest entry and Σ e^(x - largest) of each column of a strip.
template <class T> static void strip_sums(const SoftmaxLines<T>& s, T* __restrict most, double* __restrict sum) {
    for (std::int64_t c = 0; c < s.lines; ++c) most[c] = s.x[c], sum[c] = 0;
    for (std::int64_t k = 1; k < s.length; ++k) {
        const T* __restrict x = s.x + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) most[c] = most[c] < x[c] ? x[c] : most[c];
    }
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict x = s.x + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) sum[c] += static_cast<double>(exp(x[c] - most[c]));
    }
}

template <class T> static void softmax_lines(const SoftmaxLines<T>& s) {
    T most[strip_columns];
    double sum[strip_columns];
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* x = s.x + line * s.length;
            T* p = s.out + line * s.length;
            row_exp(x, p, s.length, row_largest(x, s.length));
            const T total = static_cast<T>(row_sum(p, s.length));
            for (std::int64_t j = 0; j < s.length; ++j) p[j] = p[j] / total;
        }
        return;
    }
    strip_sums(s, most, sum);
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict x = s.x + k * s.stride;
        T* __restrict p = s.out + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) p[c] = exp(x[c] - most[c]) / static_cast<T>(sum[c]);
    }
}

/// Σ p · ∂p of each line, then dz = p · (dp - that).
template <class T> static void softmax_lines_backward(const SoftmaxLines<T>& s) {
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* __restrict p = s.x + line * s.length;
            const T* __restrict dp = s.upstream + line * s.length;
            T* __restrict out = s.out + line * s.length;
            const T sum = static_cast<T>(row_product(p, dp, s.length));
            for (std::int64_t j = 0; j < s.length; ++j) out[j] = p[j] * (dp[j] - sum);
        }
        return;
    }
    double sum[strip_columns] = {};
    for (std::int64_t k = 0; k < s.length; ++k)
        for (std::int64_t c = 0; c < s.lines; ++c)
            sum[c] += static_cast<double>(s.x[k * s.stride + c]) * static_cast<double>(s.upstream[k * s.stride + c]);
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict p = s.x + k * s.stride;
        const T* __restrict dp = s.upstream + k * s.stride;
        T* __restrict out = s.out + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) out[c] = p[c] * (dp[c] - static_cast<T>(sum[c]));
    }
}

template <class T> static void log_softmax_lines(const SoftmaxLines<T>& s) {
    T most[strip_columns];
    double sum[strip_columns];
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* __restrict x = s.x + line * s.length;
            T* __restrict y = s.out + line * s.length;
            const T largest = row_largest(x, s.length);
            const T logarithm = static_cast<T>(log(row_exp_sum(x, s.length, largest)));
            for (std::int64_t j = 0; j < s.length; ++j) y[j] = x[j] - largest - logarithm;
        }
        return;
    }
    strip_sums(s, most, sum);
    for (std::int64_t c = 0; c < s.lines; ++c) sum[c] = log(sum[c]);
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict x = s.x + k * s.stride;
        T* __restrict y = s.out + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) y[c] = x[c] - most[c] - static_cast<T>(sum[c]);
    }
}

/// dz = dy - e^y · Σ dy.
template <class T> static void log_softmax_lines_backward(const SoftmaxLines<T>& s) {
    if (s.stride == 1) {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* __restrict y = s.x + line * s.length;
            const T* __restrict dy = s.upstream + line * s.length;
            T* __restrict out = s.out + line * s.length;
            const T sum = static_cast<T>(row_sum(dy, s.length));
            row_exp(y, out, s.length, T(0));
            for (std::int64_t j = 0; j < s.length; ++j) out[j] = dy[j] - out[j] * sum;
        }
        return;
    }
    double sum[strip_columns] = {};
    for (std::int64_t k = 0; k < s.length; ++k)
        for (std::int64_t c = 0; c < s.lines; ++c) sum[c] += static_cast<double>(s.upstream[k * s.stride + c]);
    for (std::int64_t k = 0; k < s.length; ++k) {
        const T* __restrict y = s.x + k * s.stride;
        const T* __restrict dy = s.upstream + k * s.stride;
        T* __restrict out = s.out + k * s.stride;
        for (std::int64_t c = 0; c < s.lines; ++c) out[c] = dy[c] - exp(y[c]) * static_cast<T>(sum[c]);
    }
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
