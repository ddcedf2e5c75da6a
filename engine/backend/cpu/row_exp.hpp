// Rows of exponentials, their sums and maxima, of one ISA path: what softmax, cross-entropy and attention have in common.
// Included once per path.
#pragma once

#include "engine/backend/cpu/vector.hpp"
#include "engine/core/portable_math.hpp"

#include <cstdint>

namespace gradus::GRADUS_MATH_NAMESPACE {

// As many lanes as a path's registers hold, the same on every path; at most 16 terms go into a lane before the lanes are added in
// double precision.
constexpr int line_lanes = 64;
constexpr std::int64_t lane_terms = 16 * line_lanes;

static inline double sum_of_eight(const double (&lane)[8]) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
template <class T> static double sum_of_line_lanes(const Vec<T> (&lane)[line_lanes / Vec<T>::width]) {
    alignas(64) T stored[line_lanes];
    double eight[8] = {};
    for (int v = 0; v < line_lanes / Vec<T>::width; ++v) lane[v].store(stored + v * Vec<T>::width);
    for (int i = 0; i < line_lanes; i += 8)
        for (int j = 0; j < 8; ++j) eight[j] += static_cast<double>(stored[i + j]);
    return sum_of_eight(eight);
}
/// The sum of what is too short for the lanes.
template <class T> static double sum_of_rest(const T* x, std::int64_t count) {
    double eight[8] = {};
    std::int64_t j = 0;
    if (count >= 16)
        for (; j + 8 <= count; j += 8)
            for (int i = 0; i < 8; ++i) eight[i] += static_cast<double>(x[j + i]);
    double sum = sum_of_eight(eight);
    for (; j < count; ++j) sum += static_cast<double>(x[j]);
    return sum;
}
/// Σ term(j) over the vectors at j = 0, width, … of as many whole `line_lanes` as there are in `count`.
template <class T, class Term> static inline double sum_of_vectors(std::int64_t count, Term&& term) {
    constexpr int width = Vec<T>::width, vectors = line_lanes / width;
    double sum = 0;
    for (std::int64_t j = 0; j + line_lanes <= count;) {
        const std::int64_t until = count - j < lane_terms ? count : j + lane_terms;
        Vec<T> lane[vectors];
        for (Vec<T>& one : lane) one = Vec<T>::zero();
        for (; j + line_lanes <= until; j += line_lanes)
            for (int v = 0; v < vectors; ++v) lane[v] = lane[v] + term(j + v * width);
        sum += sum_of_line_lanes(lane);
    }
    return sum;
}
template <class T> static double row_sum(const T* x, std::int64_t count) {
    const std::int64_t whole = count / line_lanes * line_lanes;
    return sum_of_vectors<T>(count, [x](std::int64_t j) { return Vec<T>::load(x + j); }) + sum_of_rest(x + whole, count - whole);
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
/// place of its call. out may be x.
template <class T> [[gnu::flatten]] static void row_exp(const T* x, T* out, std::int64_t count, T most) {
GRADUS_IVDEP
    for (std::int64_t j = 0; j < count; ++j) out[j] = exp_of_negative(x[j] - most);
}
/// The same; returns the sum of out. `next` and `target` are a row to be read and a row to be written soon.
template <class T>
static double row_exp_and_sum(const T* x, T* out, std::int64_t count, T most, const T* /*next*/ = nullptr,
                              T* /*target*/ = nullptr) {
    row_exp(x, out, count, most);
    return row_sum(out, count);
}

#if defined(__AVX2__)

/// e^x for x <= 0 (and little above) as 2^(n/8) · e^r, |r| <= ln 2 / 16: 0 below -86.5. The eight roots of 2 fit into a register
/// and one instruction looks them up; they leave a power so small that three terms give it to 2.6e-8, less than half of the portable
/// one's multiply-adds. Relative error 1.2e-7 + 2.8e-9 · |x|, as ln 2 has one part.
static inline Vec<float> exp_of_negative(Vec<float> x, Vec<float> roots) {
    const auto all = Vec<float>::all;
    const Vec<float> shift = all(12582912.0f); // 1.5 · 2^23: the sum's low bits are n
    const Vec<float> shifted = madd(x, all(11.5415602f), shift), r = madd(shifted - shift, all(-0.0866433978f), x);
    const Vec<float> p = madd(madd(r, all(0.166668594f), all(0.500064611f)), r, all(1.0f));
    const Vec<float> root = shifted.picked(roots).times_two_to_eighths(shifted);
    return madd(p * r, root, root).or_zero_below(x, all(-86.5f));
}
static inline Vec<float> roots_of_two() {
    static constexpr float roots[8] = {1.0f, 1.09050775f, 1.18920708f, 1.29683959f, 1.41421354f, 1.54221082f, 1.68179286f, 1.8340081f};
    return Vec<float>::eight(roots);
}

template <> void row_exp(const float* x, float* out, std::int64_t count, float most) {
    constexpr int width = Vec<float>::width;
    const Vec<float> roots = roots_of_two(), highest = Vec<float>::all(most);
    std::int64_t j = 0;
    for (; j + width <= count; j += width) exp_of_negative(Vec<float>::load(x + j) - highest, roots).store(out + j);
    const auto rest = static_cast<int>(count - j);
    if (rest > 0) exp_of_negative(Vec<float>::load_first(x + j, rest) - highest, roots).store_first(out + j, rest);
}
/// One walk for both, in the order of row_sum, while what the next walks need comes into the nearest cache.
template <> double row_exp_and_sum(const float* x, float* out, std::int64_t count, float most, const float* next, float* target) {
    const Vec<float> roots = roots_of_two(), highest = Vec<float>::all(most);
    const double sum = sum_of_vectors<float>(count, [=](std::int64_t j) {
        if (next) __builtin_prefetch(next + j, 0);
        if (target) __builtin_prefetch(target + j, 1);
        const Vec<float> e = exp_of_negative(Vec<float>::load(x + j) - highest, roots);
        e.store(out + j);
        return e;
    });
    const std::int64_t whole = count / line_lanes * line_lanes;
    row_exp(x + whole, out + whole, count - whole, most);
    return sum + sum_of_rest(out + whole, count - whole);
}

#endif

/// Σ e^(x - most).
template <class T> static double row_exp_sum(const T* x, std::int64_t count, T most) {
    constexpr std::int64_t part = 256;
    alignas(64) T powers[part];
    double sum = 0;
    for (std::int64_t from = 0; from < count; from += part)
        sum += row_exp_and_sum(x + from, powers, count - from < part ? count - from : part, most);
    return sum;
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
