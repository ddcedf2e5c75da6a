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
    const Pair pair = pair_of(series, from, from + size);
    levels_[level].push_back(pair);
    if (levels_[level].size() % fan == 0) add_block(series, level + 1);
}

Extrema::Pair Extrema::pair_of(const Series& series, std::size_t from, std::size_t until) const {
    Pair pair{from, from, false};
    double least = 0, greatest = 0;
    const auto take = [&](std::size_t i) {
        const double value = series.at(i).value;
        if (!std::isfinite(value)) return;
        if (!pair.any || value < least) {
            least = value;
            pair.least = i;
        }
        if (!pair.any || value > greatest) {
            greatest = value;
            pair.greatest = i;
        }
        pair.any = true;
    };
    for (std::size_t i = from; i < until;) {
        const Pair* whole = nullptr; // the largest block that begins here and ends in time
        std::size_t step = 1;
        for (std::size_t level = 0, size = fan; level < levels_.size(); ++level, size *= fan) {
            if (i % size != 0 || i + size > until || i / size >= levels_[level].size()) break;
            whole = &levels_[level][i / size];
            step = size;
        }
        if (!whole) take(i);
        else if (whole->any) {
            take(whole->least);
            take(whole->greatest);
        }
        i += step;
    }
    return pair;
}

std::vector<SeriesPoint> Extrema::decimate(const Series& series, StepIndex from, StepIndex until, int columns, Passed& passed) const {
    const std::size_t first = position_of(series, from, seen_), last = position_of(series, until, seen_);
    if (columns < 1 || until <= from || first >= last) return {};
    if (last - first <= static_cast<std::size_t>(columns) * 2) {
        std::vector<SeriesPoint> out;
        for (std::size_t i = first; i < last; ++i) out.push_back(series.at(i));
        return out;
    }
    if (passed.from != from || passed.until != until || passed.columns != columns) passed = {from, until, columns, 0, first, {}};
    std::vector<SeriesPoint> out;
    const auto add = [&](std::size_t start, std::size_t end, std::vector<SeriesPoint>& points) {
        if (start >= end) return;
        const Pair pair = pair_of(series, start, end);
        points.push_back(series.at(pair.any ? std::min(pair.least, pair.greatest) : start));
        if (pair.any && pair.least != pair.greatest) points.push_back(series.at(std::max(pair.least, pair.greatest)));
    };
    const double width = static_cast<double>(until - from) / columns; // iterations per column
    for (; passed.next < columns; ++passed.next) {
        const bool ends = passed.next + 1 == columns;
        const StepIndex end_iteration = ends ? until : from + static_cast<StepIndex>(std::ceil((passed.next + 1) * width));
        const std::size_t end = std::min(last, position_of(series, end_iteration, seen_));
        if (end == seen_) { // it may still grow, and nothing is beyond it
            out = passed.points;
            add(passed.start, end, out);
            return out;
        }
        add(passed.start, end, passed.points);
        passed.start = std::max(passed.start, end);
    }
    return passed.points;
}

} // namespace gradus
