#include "views/overview/outcome_curve.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr std::size_t values_per_frame = std::size_t{1} << 18; // a millisecond or two
} // namespace

bool OutcomeCurve::grow(const std::vector<std::shared_ptr<const Run>>& runs, StepIndex planned, int columns) {
    planned = std::max<StepIndex>(1, planned);
    columns = std::max(1, columns);
    bool changed = planned != planned_ || columns != columns_ || runs.size() != entries_.size();
    if (planned != planned_ || columns != columns_) entries_.clear();
    planned_ = planned;
    columns_ = columns;
    entries_.resize(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Entry& entry = entries_[i];
        if (entry.run != runs[i]) {
            entry = {};
            entry.run = runs[i];
            entry.columns.resize(static_cast<std::size_t>(columns));
            changed = true;
        }
        if (const Series* series = runs[i]->find_series(name_)) changed |= take(entry, *series);
    }
    if (!entries_.empty() && entries_[0].any) {
        least_ = entries_[0].least;
        greatest_ = entries_[0].greatest;
        log_ = least_ > 0 && greatest_ / least_ > 1000; // the range only widens, so this changes at most once
    }
    return changed;
}

bool OutcomeCurve::take(Entry& entry, const Series& series) const {
    const std::size_t count = series.size();
    if (entry.seen == count) return false;
    const std::size_t until = std::min(count, entry.seen + values_per_frame); // the rest in the next frames
    for (; entry.seen < until; ++entry.seen) {
        const SeriesPoint point = series.at(entry.seen);
        if (point.iteration < 0) continue;
        const auto place = std::min<StepIndex>(point.iteration, planned_ - 1) * columns_ / planned_;
        Column& column = entry.columns[static_cast<std::size_t>(place)];
        if (!std::isfinite(point.value)) {
            column.broken = true;
            if (entry.broken_at < 0) entry.broken_at = point.iteration;
            continue;
        }
        const auto value = static_cast<float>(point.value);
        column.least = column.any ? std::min(column.least, value) : value;
        column.greatest = column.any ? std::max(column.greatest, value) : value;
        column.any = true;
        entry.least = entry.any ? std::min(entry.least, point.value) : point.value;
        entry.greatest = entry.any ? std::max(entry.greatest, point.value) : point.value;
        entry.any = true;
    }
    return true;
}

const std::vector<OutcomeCurve::Column>& OutcomeCurve::of(std::size_t run) const {
    static const std::vector<Column> none;
    return run < entries_.size() ? entries_[run].columns : none;
}

StepIndex OutcomeCurve::broken_at(std::size_t run) const {
    return run < entries_.size() ? entries_[run].broken_at : -1;
}

double OutcomeCurve::height_of(double value) const {
    if (!(greatest_ > least_)) return 0.5;
    if (!log_) return (value - least_) / (greatest_ - least_);
    return std::log(std::max(value, least_) / least_) / std::log(greatest_ / least_);
}

} // namespace gradus
