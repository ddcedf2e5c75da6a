#pragma once

#include "engine/trace/run.hpp"

#include <cstddef>
#include <vector>

namespace gradus {

/// Draws any part of a growing series with at most two points per pixel column: the column's least and greatest value,
/// in the order in which they came. Keeps the extrema of blocks, so that a million values cost no more than a few
/// thousand. Values that are not finite are left out of a column that has others, and break the line where it has none.
class Extrema {
public:
    /// Takes in what the series has grown by.
    void grow(const Series& series);
    /// Points for iterations [from, until) in so many columns. `series` is the one that was grown with.
    std::vector<SeriesPoint> decimate(const Series& series, StepIndex from, StepIndex until, int columns) const;
    /// Least and greatest finite value so far; least > greatest where there is none.
    double least() const { return least_; }
    double greatest() const { return greatest_; }

private:
    static constexpr std::size_t block = 64;
    struct Pair {
        std::size_t least, greatest; ///< positions in the series
        bool any;                    ///< false: no finite value
    };
    Pair pair_of(const Series& series, std::size_t from, std::size_t until) const;

    std::vector<Pair> blocks_; ///< of full blocks
    std::size_t seen_ = 0;
    double least_ = std::numeric_limits<double>::infinity(), greatest_ = -std::numeric_limits<double>::infinity();
};

} // namespace gradus
