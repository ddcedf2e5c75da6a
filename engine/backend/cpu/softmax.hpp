// Softmax and log-softmax of one ISA path, along rows or strips of columns. Included once per path. Formulas stand at the ops
// (engine/ops/softmax.hpp).
#pragma once

#include "engine/backend/cpu/elementwise.hpp"
#include "engine/backend/cpu/softmax_loops.hpp"
#include "engine/backend/cpu/vector.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

using cpu::SoftmaxLines;
using cpu::strip_columns;

// As many lanes as a path's registers hold, the same on every path; at most 16 terms go into a lane before the lanes are added in
// double precision.
constexpr int line_lanes = 64;
constexpr std::int64_t lane_terms = 16 * line_lanes;

template <class T> static double sum_of_line_lanes(const Vec<T> (&lane)[line_lanes / Vec<T>::width]) {
    alignas(64) T stored[line_lanes];
    double eight[8] = {};
    for (int v = 0; v < line_lanes / Vec<T>::width; ++v) lane[v].store(stored + v * Vec<T>::width);
    for (int i = 0; i < line_lanes; i += 8)
        for (int j = 0; j < 8; ++j) eight[j] += static_cast<double>(stored[i + j]);
    return ((eight[0] + eight[4]) + (eight[2] + eight[6])) + ((eight[1] + eight[5]) + (eight[3] + eight[7]));
}
template <class T> static double row_sum(const T* x, std::int64_t count) {
    constexpr int width = Vec<T>::width, vectors = line_lanes / width;
    double sum = 0;
    std::int64_t j = 0;
    while (j + line_lanes <= count) {
        const std::int64_t until = count - j < lane_terms ? count : j + lane_terms;
        Vec<T> lane[vectors];
        for (int v = 0; v < vectors; ++v) lane[v] = Vec<T>::zero();
        for (; j + line_lanes <= until; j += line_lanes)
            for (int v = 0; v < vectors; ++v) lane[v] = lane[v] + Vec<T>::load(x + j + v * width);
        sum += sum_of_line_lanes(lane);
    }
    for (; j < count; ++j) sum += static_cast<double>(x[j]);
    return sum;
}
template <class T> static double row_product(const T* x, const T* y, std::int64_t count) {
    constexpr int width = Vec<T>::width, vectors = line_lanes / width;
    double sum = 0;
    std::int64_t j = 0;
    while (j + line_lanes <= count) {
        const std::int64_t until = count - j < lane_terms ? count : j + lane_terms;
        Vec<T> lane[vectors];
        for (int v = 0; v < vectors; ++v) lane[v] = Vec<T>::zero();
        for (; j + line_lanes <= until; j += line_lanes)
            for (int v = 0; v < vectors; ++v)
                lane[v] = lane[v] + Vec<T>::load(x + j + v * width) * Vec<T>::load(y + j + v * width);
        sum += sum_of_line_lanes(lane);
    }
    for (; j < count; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(y[j]);
    return sum;
}
/// The largest of at least one entry. A NaN counts only where it is the first: e^NaN spoils the line's sum anyway.
template <class T> static T row_largest(const T* x, std::int64_t count) {
    constexpr int width = Vec<T>::width, vectors = line_lanes / width;
    T most = x[0];
    std::int64_t j = 0;
    if (count >= line_lanes) {
        Vec<T> lane[vectors];
        for (int v = 0; v < vectors; ++v) lane[v] = Vec<T>::broadcast(x);
        for (; j + line_lanes <= count; j += line_lanes)
            for (int v = 0; v < vectors; ++v) lane[v] = lane[v].larger(Vec<T>::load(x + j + v * width));
        for (int v = 1; v < vectors; ++v) lane[0] = lane[0].larger(lane[v]);
        alignas(64) T stored[width];
        lane[0].store(stored);
        for (int i = 0; i < width; ++i) most = most < stored[i] ? stored[i] : most;
    }
    for (; j < count; ++j) most = most < x[j] ? x[j] : most;
    return most;
}
/// out = e^(x - most), no x larger than most. A function of its own, since the compiler vectorises it only where exp is put in
/// place of its call.
template <class T> [[gnu::flatten]] static void row_exp(const T* x, T* out, std::int64_t count, T most) {
GRADUS_IVDEP // out may be x
    for (std::int64_t j = 0; j < count; ++j) out[j] = exp_of_negative(x[j] - most);
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
    const std::int64_t together = s.length >= 256 ? 1 : 1024 / s.length;
    for (std::int64_t first = 0; first < s.lines; first += together) {
        const std::int64_t lines = s.lines - first < together ? s.lines - first : together;
        const T* x = s.x + first * s.length;
        T* out = s.out + first * s.length;
        T* p = s.length > softmax_room ? out : room;
        if (together == 1) {
            row_exp(x, p, s.length, row_largest(x, s.length));
        } else {
            for (std::int64_t line = 0; line < lines; ++line) {
                const T* row = x + line * s.length;
                const T most = row_largest(row, s.length);
                for (std::int64_t j = 0; j < s.length; ++j) p[line * s.length + j] = row[j] - most;
            }
            row_exp(p, p, lines * s.length, T(0));
        }
        for (std::int64_t line = 0; line < lines; ++line)
            divide_row(p + line * s.length, out + line * s.length, s.length, row_sum(p + line * s.length, s.length),
                       s.streamed && p == room);
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
