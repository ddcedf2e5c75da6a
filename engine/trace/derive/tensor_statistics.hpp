#pragma once

#include "engine/core/tensor.hpp"

#include <vector>

namespace gradus {

/// What all values of a tensor look like together.
struct TensorStatistics {
    Dim count = 0;
    Dim zeros = 0; ///< exactly 0, of either sign
    Dim nans = 0, infinities = 0;
    double least = 0, greatest = 0; ///< of the finite values; 0 where there are none
    /// Where a colour map ends: the 99.5 % quantile of |x| over the finite values, and the greatest |x| where that
    /// quantile is 0. Signed maps end at ±clip, unsigned ones run from 0 to clip.
    double clip = 0;
    /// Magnitudes beyond it stand out of any average: midway between clip and the greatest |x|.
    double outlier = 0;
    /// Counts of the finite values in bins of equal width, from `low` to `high`; the last one holds `high` itself.
    std::vector<Dim> bins;
    double low = 0, high = 0; ///< ±the greatest |x| where something is negative, else 0 and the greatest

    Dim finite() const { return count - nans - infinities; }
    bool has_negative() const { return least < 0; }
};

/// Share of the values that a colour map tells apart; what is beyond takes the colour of its end.
constexpr double clip_quantile = 0.995;

/// Goes over all values: 10 million take a fraction of a second, so ask on a worker.
/// Throws ShapeError for an undefined tensor and ArgumentError for less than one bin.
TensorStatistics statistics_of(const Tensor& tensor, int bins = 48);

/// The q-quantile of |x| over the finite values by rank: the smallest |x| such that at least q·n of the n magnitudes
/// are not greater; 0 where there is no finite value. q in [0, 1].
double magnitude_quantile(const Tensor& tensor, double q);

} // namespace gradus
