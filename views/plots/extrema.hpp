#pragma once

#include "engine/trace/run.hpp"

#include <cstddef>
#include <vector>

namespace gradus {

/// Draws any part of a growing series with at most two points per pixel column: the column's least and greatest value,
/// in the order in which they came. Keeps the extrema and the sums of blocks, of blocks of blocks and so on, so that ten million
/// values cost no more than a few thousand. Values that are not finite are left out of a column that has others, and break the line where it has none.
class Extrema {
public:
    /// Takes in what the series has grown by, `most` values at a time; true once nothing is left.
    bool grow(const Series& series, std::size_t most = std::numeric_limits<std::size_t>::max());
    /// The columns or parts of a picture that the series has passed: nothing it grows by will change them.
    struct Passed {
        StepIndex from = 0, until = 0;
        int columns = 0; ///< of the whole picture
        int next = 0;    ///< the first column that is not passed
        std::size_t start = 0; ///< where it begins in the series
        std::vector<SeriesPoint> points = {};
    };
    /// Points for iterations [from, until) in so many columns. `series` is the one that was grown with, as is `passed`,
    /// which is taken from the last picture and kept for the next; another picture begins it anew.
    std::vector<SeriesPoint> decimate(const Series& series, StepIndex from, StepIndex until, int columns, Passed& passed) const;
    std::vector<SeriesPoint> decimate(const Series& series, StepIndex from, StepIndex until, int columns) const {
        Passed none;
        return decimate(series, from, until, columns, none);
    }
    /// The mean of the finite values of each of so many equal parts of [from, until), at the middle of what the series has
    /// of it; a part without any has no point. `passed` as above, of its own.
    std::vector<SeriesPoint> means(const Series& series, StepIndex from, StepIndex until, int parts, Passed& passed) const;
    std::vector<SeriesPoint> means(const Series& series, StepIndex from, StepIndex until, int parts) const {
        Passed none;
        return means(series, from, until, parts, none);
    }
    /// Least and greatest finite value so far; least > greatest where there is none.
    double least() const { return least_; }
    double greatest() const { return greatest_; }

private:
    static constexpr std::size_t fan = 32; ///< values of a block, blocks of a block of blocks
    struct Block {
        std::size_t least, greatest; ///< positions in the series
        std::size_t finite = 0;      ///< so many values are
        double sum = 0;              ///< of these
    };
    Block block_of(const Series& series, std::size_t from, std::size_t until) const;
    template <class Add>
    std::vector<SeriesPoint> walk(const Series& series, StepIndex from, StepIndex until, int parts, Passed& passed, Add add) const;
    void add_block(const Series& series, std::size_t level);

    std::vector<std::vector<Block>> levels_; ///< of full blocks: of fan values, of fan², …
    std::size_t seen_ = 0;
    double least_ = std::numeric_limits<double>::infinity(), greatest_ = -std::numeric_limits<double>::infinity();
};

} // namespace gradus
