#pragma once

#include "engine/backend/cpu/kernel_parts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

/// What the kernels of normalisations are made of; for the files of this folder only.
namespace gradus::cpu {

struct Moments {
    double mean, rstd, squares; ///< squares: Σ (x - mean)²
};

/// Sums for a gradient around a mean. A mean that was rounded to fp32 is off by up to 2^-24 of itself, which is much where x lies
/// far from 0: what Σ (x - mean) leaves says by how much, and puts it right.
struct GradientSums {
    double mean;
    double along_one; ///< Σ g
    double along_x;   ///< Σ g · x̂
};
inline GradientSums centered(double mean, double rstd, double count, const double* sums) {
    const double off = count > 0 ? sums[2] / count : 0;
    return {mean + off, sums[0], (sums[1] - off * sums[0]) * rstd};
}

inline double inverse_deviation(double variance, double eps) { return 1.0 / std::sqrt(variance + eps); }

/// The sizes of x (N, C, …) where each channel has `entries` values per image.
struct Channels {
    std::int64_t images, channels, entries;
};
inline Channels channels_of(const GradusArray& x) {
    std::int64_t entries = 1;
    for (int axis = 2; axis < x.rank; ++axis) entries *= x.sizes[axis];
    return {x.sizes[0], x.sizes[1], entries};
}

/// Sums over rows of two quantities per column, ∂w and ∂b. Rows are dealt out to at most 64 blocks by shape alone, each block
/// sums its rows in order in double precision, and the blocks' sums are added in order: the same bits for any number of threads.
/// Calls work(from, until, dw, db) for each block of rows. db_out may be null.
template <class T, class Work>
GradusStatus sum_over_rows(const GradusCall* call, std::int64_t rows, std::int64_t elements_each, std::int64_t columns, T* dw_out,
                           T* db_out, Work&& work) {
    const std::int64_t each =
        std::max<std::int64_t>({1, (rows + 63) / 64, piece_elements / std::max<std::int64_t>(1, elements_each)});
    const std::int64_t blocks = (rows + each - 1) / each;
    const std::unique_ptr<double[]> sums(new (std::nothrow) double[static_cast<std::size_t>(2 * blocks * columns)]());
    if (!sums) return GRADUS_FAILED;
    const auto block_of = [&](std::int64_t block) { return sums.get() + 2 * block * columns; };
    over_pieces(call, blocks, piece_elements, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t block = from; block < until; ++block)
            work(block * each, std::min(rows, (block + 1) * each), block_of(block), block_of(block) + columns);
    });
    for (std::int64_t j = 0; j < columns; ++j) {
        double dw = 0, db = 0;
        for (std::int64_t block = 0; block < blocks; ++block) dw += block_of(block)[j], db += block_of(block)[columns + j];
        dw_out[j] = static_cast<T>(dw);
        if (db_out) db_out[j] = static_cast<T>(db);
    }
    return GRADUS_OK;
}

} // namespace gradus::cpu
