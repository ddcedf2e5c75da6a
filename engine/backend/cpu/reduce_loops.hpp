#pragma once

#include <cstdint>

namespace gradus::cpu {

/// What reductions are made of. A run is `count` elements `stride` apart; `columns` numbers of each of `rows` rows, `row` apart,
/// are added to as many results. Sums are made in double precision.
template <class T> struct ReduceLoops {
    double (*sum_run)(const T* x, std::int64_t count, std::int64_t stride);
    void (*sum_columns)(const T* x, std::int64_t rows, std::int64_t row, std::int64_t columns, double* sums);
    double (*square_run)(const T* x, std::int64_t count, std::int64_t stride, double mean); // Σ (x - mean)²
    void (*square_columns)(const T* x, std::int64_t rows, std::int64_t row, std::int64_t columns, const double* mean,
                           double* sums);
    T (*max_run)(const T* x, std::int64_t count, std::int64_t stride); // count >= 1; a NaN is larger than every number
    void (*max_columns)(const T* x, std::int64_t rows, std::int64_t row, std::int64_t columns, T* largest);
    T (*min_run)(const T* x, std::int64_t count, std::int64_t stride); // a NaN is smaller
    void (*min_columns)(const T* x, std::int64_t rows, std::int64_t row, std::int64_t columns, T* smallest);
};

/// Columns that one call of the loops above takes at most.
constexpr std::int64_t reduce_columns = 256;

} // namespace gradus::cpu
