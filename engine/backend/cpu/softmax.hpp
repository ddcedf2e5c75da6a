// Softmax and log-softmax of one ISA path, along rows or strips of columns. Included once per path. Formulas stand at the ops
// (engine/ops/softmax.hpp).
#pragma once

#include "engine/backend/cpu/elementwise.hpp"
#include "engine/backend/cpu/row_exp.hpp"
#include "engine/backend/cpu/softmax_loops.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::SoftmaxLines;
using cpu::strip_columns;

template <class T> static double row_product(const T* x, const T* y, std::int64_t count) {
    double sum = sum_of_vectors<T>(count, [=](std::int64_t j) { return Vec<T>::load(x + j) * Vec<T>::load(y + j); });
    for (std::int64_t j = count / line_lanes * line_lanes; j < count; ++j)
        sum += static_cast<double>(x[j]) * static_cast<double>(y[j]);
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

/// Numbers that lie in a room at a time: the exponentials of short rows are made together, in whole vectors.
constexpr std::int64_t softmax_room = 4096;

/// out = p / sum, in place or past the caches.
template <class T> static void divide_row(const T* p, T* out, std::int64_t count, double sum, bool streamed) {
    const T share = static_cast<T>(1.0 / sum);
    if (!streamed) {
        for (std::int64_t j = 0; j < count; ++j) out[j] = p[j] * share;
        return;
    }
    constexpr std::int64_t part = 512;
    alignas(64) T room[part];
    for (std::int64_t from = 0; from < count; from += part) {
        const std::int64_t entries = count - from < part ? count - from : part;
        for (std::int64_t j = 0; j < entries; ++j) room[j] = p[from + j] * share;
        stream_copy(room, out + from, entries);
    }
}

template <class T> static void softmax_rows(const SoftmaxLines<T>& s) {
    alignas(64) T room[softmax_room];
    if (s.length < 256) { // the exponentials of some short rows in one go
        const std::int64_t together = 1024 / s.length;
        for (std::int64_t first = 0; first < s.lines; first += together) {
            const std::int64_t lines = s.lines - first < together ? s.lines - first : together;
            for (std::int64_t line = 0; line < lines; ++line) {
                const T* row = s.x + (first + line) * s.length;
                const T most = row_largest(row, s.length);
                for (std::int64_t j = 0; j < s.length; ++j) room[line * s.length + j] = row[j] - most;
            }
            row_exp(room, room, lines * s.length, T(0));
            for (std::int64_t line = 0; line < lines; ++line) {
                const T* p = room + line * s.length;
                divide_row(p, s.out + (first + line) * s.length, s.length, row_sum(p, s.length), s.streamed);
            }
        }
    } else {
        for (std::int64_t line = 0; line < s.lines; ++line) {
            const T* x = s.x + line * s.length;
            const T* next = line + 1 < s.lines ? x + s.length : nullptr;
            T* out = s.out + line * s.length;
            const bool fits = s.length <= softmax_room;
            T* p = fits ? room : out;
            const double sum = row_exp_and_sum(x, p, s.length, row_largest(x, s.length), fits ? next : nullptr,
                                               fits && !s.streamed ? out : nullptr);
            divide_row(p, out, s.length, sum, s.streamed && fits);
        }
    }
    if (s.streamed) stores_in_order();
}

template <class T> static void softmax_lines(const SoftmaxLines<T>& s) {
    if (s.stride == 1) return softmax_rows(s);
    T most[strip_columns];
    double sum[strip_columns];
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
