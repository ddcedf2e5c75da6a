// Sums and extremes of one ISA path, the same bits on each: lanes and blocks are counted in elements, not in vectors.
// Included once per path.
#pragma once

#include "engine/backend/cpu/reduce_loops.hpp"
#include "engine/core/portable_math.hpp"

namespace gradus::GRADUS_MATH_NAMESPACE {

constexpr int reduce_lanes = 16;             // running sums side by side
constexpr int extreme_lanes = 64;            // and running extremes
constexpr std::int64_t reduce_block = 1024;  // elements of a run that its lanes add up; blocks are added in pairs
constexpr std::int64_t reduce_rows = 64;     // rows that are added up before they join the others

/// A term of a sum.
struct Term {
    template <class T> double operator()(T x) const { return static_cast<double>(x); }
};
struct SquaredDifference {
    double mean;
    template <class T> double operator()(T x) const {
        const double difference = static_cast<double>(x) - mean;
        return difference * difference;
    }
};

template <class F, class T> static inline double block_sum(F f, const T* x, std::int64_t count, std::int64_t stride) {
    if (count < reduce_lanes) {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i) sum += f(x[i * stride]);
        return sum;
    }
    double lane[reduce_lanes] = {};
    std::int64_t i = 0;
    if (stride == 1) {
        for (; i + reduce_lanes <= count; i += reduce_lanes)
            for (int k = 0; k < reduce_lanes; ++k) lane[k] += f(x[i + k]);
    } else {
        for (; i + reduce_lanes <= count; i += reduce_lanes)
            for (int k = 0; k < reduce_lanes; ++k) lane[k] += f(x[(i + k) * stride]);
    }
    for (int k = 0; i < count; ++i, ++k) lane[k] += f(x[i * stride]);
    for (int width = reduce_lanes / 2; width > 0; width /= 2)
        for (int k = 0; k < width; ++k) lane[k] += lane[k + width];
    return lane[0];
}

/// Pairwise: the error grows with the logarithm of the count.
template <class F, class T> static double run_sum(F f, const T* x, std::int64_t count, std::int64_t stride) {
    if (count <= reduce_block) return block_sum(f, x, count, stride);
    const std::int64_t half = (count / 2 + reduce_block - 1) / reduce_block * reduce_block;
    return run_sum(f, x, half, stride) + run_sum(f, x + half * stride, count - half, stride);
}

template <class T> static double sum_run(const T* x, std::int64_t count, std::int64_t stride) {
    return run_sum(Term{}, x, count, stride);
}
template <class T> static double square_run(const T* x, std::int64_t count, std::int64_t stride, double mean) {
    return run_sum(SquaredDifference{mean}, x, count, stride);
}

template <class T>
static void sum_columns(const T* __restrict x, std::int64_t rows, std::int64_t row, std::int64_t columns,
                        double* __restrict sums) {
    alignas(64) double some[cpu::reduce_columns];
    for (std::int64_t from = 0; from < rows; from += reduce_rows) {
        const std::int64_t until = rows - from < reduce_rows ? rows : from + reduce_rows;
        for (std::int64_t j = 0; j < columns; ++j) some[j] = 0;
        std::int64_t i = from;
        for (; i + 4 <= until; i += 4) {
            const T *a = x + i * row, *b = a + row, *c = b + row, *d = c + row;
            for (std::int64_t j = 0; j < columns; ++j)
                some[j] += (static_cast<double>(a[j]) + static_cast<double>(b[j])) +
                           (static_cast<double>(c[j]) + static_cast<double>(d[j]));
        }
        for (; i < until; ++i)
            for (std::int64_t j = 0; j < columns; ++j) some[j] += static_cast<double>(x[i * row + j]);
        for (std::int64_t j = 0; j < columns; ++j) sums[j] += some[j];
    }
}

template <class T>
static void square_columns(const T* __restrict x, std::int64_t rows, std::int64_t row, std::int64_t columns,
                           const double* __restrict mean, double* __restrict sums) {
    alignas(64) double some[cpu::reduce_columns];
    for (std::int64_t from = 0; from < rows; from += reduce_rows) {
        const std::int64_t until = rows - from < reduce_rows ? rows : from + reduce_rows;
        for (std::int64_t j = 0; j < columns; ++j) some[j] = 0;
        for (std::int64_t i = from; i < until; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
                const double difference = static_cast<double>(x[i * row + j]) - mean[j];
                some[j] += difference * difference;
            }
        for (std::int64_t j = 0; j < columns; ++j) sums[j] += some[j];
    }
}

/// Whether x takes the place of the best so far. A NaN does, and nothing takes a NaN's place.
template <bool Largest, class T> static inline bool beats(T x, T best) { return (Largest ? x > best : x < best) | (x != x); }

/// Lanes that lie in memory: compilers make vectors of them, where they leave a row of registers alone.
template <bool Largest, class T> static T extreme_run(const T* x, std::int64_t count, std::int64_t stride) {
    T lane[extreme_lanes];
    std::int64_t i = 0;
    int lanes = 1;
    lane[0] = x[0];
    if (stride == 1 && count >= extreme_lanes) {
        lanes = extreme_lanes;
        for (int k = 0; k < extreme_lanes; ++k) lane[k] = x[k];
        for (i = extreme_lanes; i + extreme_lanes <= count; i += extreme_lanes)
            for (int k = 0; k < extreme_lanes; ++k) lane[k] = beats<Largest>(x[i + k], lane[k]) ? x[i + k] : lane[k];
    }
    T best = lane[0];
    for (int k = 1; k < lanes; ++k) best = beats<Largest>(lane[k], best) ? lane[k] : best;
    for (; i < count; ++i) best = beats<Largest>(x[i * stride], best) ? x[i * stride] : best;
    return best;
}

template <bool Largest, class T>
static void extreme_columns(const T* __restrict x, std::int64_t rows, std::int64_t row, std::int64_t columns,
                            T* __restrict best) {
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            const T value = x[i * row + j];
            best[j] = beats<Largest>(value, best[j]) ? value : best[j];
        }
}

template <class T> static constexpr cpu::ReduceLoops<T> reduce_functions() {
    return {
        .sum_run = sum_run<T>,
        .sum_columns = sum_columns<T>,
        .square_run = square_run<T>,
        .square_columns = square_columns<T>,
        .max_run = extreme_run<true, T>,
        .max_columns = extreme_columns<true, T>,
        .min_run = extreme_run<false, T>,
        .min_columns = extreme_columns<false, T>,
    };
}

} // namespace gradus::GRADUS_MATH_NAMESPACE
