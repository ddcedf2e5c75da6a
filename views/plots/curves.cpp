#include "views/plots/curves.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr std::size_t values_per_frame = std::size_t{1} << 18; // a few milliseconds
} // namespace

CurveSet CurveBook::look(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor,
                         int columns, StepIndex until) {
    CurveSet set;
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    entries_.resize(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Entry& entry = entries_[i];
        if (entry.run != runs[i]) entry = {runs[i], std::vector<Extrema>(names_.size())};
        set.planned = std::max(set.planned, entry.run->manifest().planned_steps);
        for (std::size_t k = 0; k < names_.size(); ++k) {
            const Series* series = entry.run->find_series(names_[k]);
            if (!series) continue;
            if (!entry.extrema[k].grow(*series, values_per_frame)) set.complete = false;
            Curve curve{i, i == selected, !series->info().every_iteration, k, {}};
            const StepIndex end = std::max<StepIndex>(1, set.planned);
            if (until >= end) {
                least = std::min(least, entry.extrema[k].least());
                greatest = std::max(greatest, entry.extrema[k].greatest());
                curve.points = entry.extrema[k].decimate(*series, 0, end, columns);
            } else if (until > 0) {
                curve.points = entry.extrema[k].decimate(*series, 0, until, std::max<int>(1, static_cast<int>(columns * until / end)));
                for (const SeriesPoint& point : curve.points) {
                    if (!std::isfinite(point.value)) continue;
                    least = std::min(least, point.value);
                    greatest = std::max(greatest, point.value);
                }
            }
            if (!curve.points.empty()) set.curves.push_back(std::move(curve));
        }
    }
    // The selected branch lies on top.
    std::stable_sort(set.curves.begin(), set.curves.end(),
                     [](const Curve& a, const Curve& b) { return a.selected < b.selected; });
    set.cursor.iteration = cursor;
    if (cursor < until && selected < runs.size())
        for (const std::string& name : names_) { // the first that this Run has
            if (!runs[selected]->find_series(name)) continue;
            set.cursor.value = runs[selected]->value_at(name, cursor);
            break;
        }
    if (least <= greatest) {
        set.least = least;
        set.greatest = greatest;
        set.log = least > 0 && greatest / least > 1000; // the extrema only widen, so this changes at most once
    }
    return set;
}

} // namespace gradus
