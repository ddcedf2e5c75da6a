#include "views/plots/extrema.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {

/// First position whose iteration is at least `iteration`.
std::size_t position_of(const Series& series, StepIndex iteration, std::size_t count) {
    if (series.info().every_iteration)
        return static_cast<std::size_t>(std::clamp<StepIndex>(iteration - series.first(), 0, static_cast<StepIndex>(count)));
    std::size_t low = 0, high = count;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (series.at(middle).iteration < iteration) low = middle + 1;
        else high = middle;
    }
    return low;
}

} // namespace

bool Extrema::grow(const Series& series, std::size_t most) {
    const std::size_t count = series.size(), until = count - seen_ > most ? seen_ + most : count;
    for (; seen_ < until; ++seen_) {
        const double value = series.at(seen_).value;
        if (std::isfinite(value)) {
            least_ = std::min(least_, value);
            greatest_ = std::max(greatest_, value);
        }
        if ((seen_ + 1) % fan == 0) add_block(series, 0);
    }
    return seen_ == count;
}

/// The next block of a level is full; perhaps with it one of the level above.
void Extrema::add_block(const Series& series, std::size_t level) {
    if (level == levels_.size()) levels_.emplace_back();
    std::size_t size = fan;
    for (std::size_t i = 0; i < level; ++i) size *= fan;
    const std::size_t from = levels_[level].size() * size;
    levels_[level].push_back(block_of(series, from, from + size));
    if (levels_[level].size() % fan == 0) add_block(series, level + 1);
}

Extrema::Block Extrema::block_of(const Series& series, std::size_t from, std::size_t until) const {
    Block block{from, from};
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    const auto look_at = [&](std::size_t i, double value) {
        if (value < least) {
            least = value;
            block.least = i;
        }
        if (value > greatest) {
            greatest = value;
            block.greatest = i;
        }
    };
    for (std::size_t i = from; i < until;) {
        const Block* whole = nullptr; // the largest block that begins here and ends in time
        std::size_t step = 1;
        for (std::size_t level = 0, size = fan; level < levels_.size(); ++level, size *= fan) {
            if (i % size != 0 || i + size > until || i / size >= levels_[level].size()) break;
            whole = &levels_[level][i / size];
            step = size;
        }
        if (whole && whole->finite > 0) {
            for (const std::size_t at : {whole->least, whole->greatest}) look_at(at, series.at(at).value);
            block.sum += whole->sum;
            block.finite += whole->finite;
        } else if (const double value = whole ? std::nan("") : series.at(i).value; std::isfinite(value)) {
            look_at(i, value);
            block.sum += value;
            ++block.finite;
        }
        i += step;
    }
    return block;
}

/// Walks over equal parts of [from, until), each told to `add` as positions in the series; what the series has passed is
/// taken from the last walk.
template <class Add>
std::vector<SeriesPoint> Extrema::walk(const Series& series, StepIndex from, StepIndex until, int parts, Passed& passed, Add add) const {
    const std::size_t first = position_of(series, from, seen_), last = position_of(series, until, seen_);
    if (parts < 1 || until <= from || first >= last) return {};
    if (passed.from != from || passed.until != until || passed.columns != parts) passed = {from, until, parts, 0, first, {}};
    const double width = static_cast<double>(until - from) / parts; // iterations per part
    for (; passed.next < parts; ++passed.next) {
        const bool ends = passed.next + 1 == parts;
        const StepIndex end_iteration = ends ? until : from + static_cast<StepIndex>(std::ceil((passed.next + 1) * width));
        const std::size_t end = std::min(last, position_of(series, end_iteration, seen_));
        if (end == seen_) { // it may still grow, and nothing is beyond it
            std::vector<SeriesPoint> out = passed.points;
            if (passed.start < end) add(passed.start, end, out);
            return out;
        }
        if (passed.start < end) add(passed.start, end, passed.points);
        passed.start = std::max(passed.start, end);
    }
    return passed.points;
}

std::vector<SeriesPoint> Extrema::means(const Series& series, StepIndex from, StepIndex until, int parts, Passed& passed) const {
    return walk(series, from, until, parts, passed, [&](std::size_t start, std::size_t end, std::vector<SeriesPoint>& points) {
        const Block block = block_of(series, start, end);
        if (block.finite > 0) points.push_back({series.at((start + end) / 2).iteration, block.sum / static_cast<double>(block.finite)});
    });
}

std::vector<SeriesPoint> Extrema::decimate(const Series& series, StepIndex from, StepIndex until, int columns, Passed& passed) const {
    const std::size_t first = position_of(series, from, seen_), last = position_of(series, until, seen_);
    if (columns >= 1 && first < last && last - first <= static_cast<std::size_t>(columns) * 2) {
        std::vector<SeriesPoint> out;
        for (std::size_t i = first; i < last; ++i) out.push_back(series.at(i));
        return out;
    }
    return walk(series, from, until, columns, passed, [&](std::size_t start, std::size_t end, std::vector<SeriesPoint>& points) {
        const Block block = block_of(series, start, end);
        points.push_back(series.at(block.finite > 0 ? std::min(block.least, block.greatest) : start));
        if (block.finite > 0 && block.least != block.greatest) points.push_back(series.at(std::max(block.least, block.greatest)));
    });
}

} // namespace gradus
