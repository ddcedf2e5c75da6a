#include "views/plots/curves.hpp"

#include "views/derive/main_series.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

namespace {
constexpr std::size_t values_per_frame = std::size_t{1} << 18; // a few milliseconds
constexpr int columns_per_mean = 6; // a batch's noise is gone, a bend is still where it was

/// Whether most columns are higher than a line is thick: then the line itself cannot be seen.
bool is_noisy(const std::vector<SeriesPoint>& points, const Extrema& extrema) {
    std::vector<double> spans;
    for (std::size_t i = 1; i < points.size(); ++i)
        if (const double span = std::abs(points[i].value - points[i - 1].value); std::isfinite(span)) spans.push_back(span);
    if (spans.empty()) return false;
    const auto middle = spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2);
    std::nth_element(spans.begin(), middle, spans.end());
    return *middle > 0.02 * (extrema.greatest() - extrema.least());
}
} // namespace

std::optional<Abscissa> abscissa_of(const Run& run) {
    const StepIndex last = run.head() - 1;
    if (last < 1 || !run.find_series(abscissa_name)) return std::nullopt;
    const auto first = run.value_at(abscissa_name, 0), next = run.value_at(abscissa_name, 1), end = run.value_at(abscissa_name, last);
    if (!first || !next || !end || !std::isfinite(*first) || !std::isfinite(*next - *first) || *next == *first) return std::nullopt;
    const double step = (*end - *first) / static_cast<double>(last);
    if (!(std::abs(*next - *first - step) <= 1e-3 * std::abs(step))) return std::nullopt; // it turns back, or starts again
    return Abscissa{*first, step};
}

CurveSet CurveBook::look(const std::vector<std::shared_ptr<const Run>>& runs, std::size_t selected, StepIndex cursor,
                         int columns, std::size_t scratch, StepIndex from, StepIndex until) {
    CurveSet set;
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    double scratch_least = least, scratch_greatest = greatest;
    entries_.resize(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Entry& entry = entries_[i];
        if (entry.run != runs[i]) entry = {runs[i], std::vector<Known>(names_.size())};
        set.planned = std::max(set.planned, entry.run->manifest().planned_steps);
        for (std::size_t k = 0; k < names_.size(); ++k) {
            const Series* series = entry.run->find_series(names_[k]);
            if (!series) continue;
            auto& [extrema, columns_passed, means_passed] = entry.series[k];
            if (!extrema.grow(*series, values_per_frame)) set.complete = false;
            const bool decided = i + scratch < runs.size();
            double &low = decided ? least : scratch_least, &high = decided ? greatest : scratch_greatest;
            Curve curve{i, i == selected, !series->info().every_iteration, k, Role::metric, {}, {}};
            const StepIndex end = std::max<StepIndex>(1, set.planned);
            if (from == 0 && until >= end) {
                low = std::min(low, extrema.least());
                high = std::max(high, extrema.greatest());
                curve.points = extrema.decimate(*series, 0, end, columns, columns_passed);
                const auto steps = static_cast<StepIndex>(std::ceil(static_cast<double>(end) * columns_per_mean / columns));
                if (!curve.sparse && steps >= 2 * columns_per_mean && is_noisy(curve.points, extrema)) {
                    curve.means = extrema.means(*series, 0, end, std::max(1, columns / columns_per_mean), means_passed);
                    set.mean_of = steps;
                }
            } else if (until > from) {
                const int share = static_cast<int>(columns * std::min(until - from, end) / end);
                curve.points = extrema.decimate(*series, from, until, from == 0 ? std::max(1, share) : columns, columns_passed);
                for (const SeriesPoint& point : curve.points) {
                    if (!std::isfinite(point.value)) continue;
                    low = std::min(low, point.value);
                    high = std::max(high, point.value);
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
        for (std::size_t k = 0; k < names_.size(); ++k) { // the first that this Run has
            if (!runs[selected]->find_series(names_[k])) continue;
            set.cursor.value = runs[selected]->value_at(names_[k], cursor);
            set.cursor.name = k;
            break;
        }
    if (least <= greatest) {
        set.log = may_log_ && least > 0 && greatest / least > 1000; // the extrema only widen, so this changes at most once
        const double room = 20 * (greatest - least); // of what is only tried, what explodes may leave the axes
        if (scratch_least <= scratch_greatest) {
            least = std::min(least, std::max(scratch_least, set.log ? least / 10 : least - room));
            greatest = std::max(greatest, std::min(scratch_greatest, greatest + room));
        }
        set.least = least;
        set.greatest = greatest;
        if (set.log) { // on such an axis a mean lies above what the eye takes for the middle
            for (Curve& curve : set.curves) curve.means.clear();
            set.mean_of = 0;
        }
    }
    return set;
}

Curve apart_from_selected(Curve curve, const CurveSet& set) {
    const auto other = std::find_if(set.curves.begin(), set.curves.end(), [&](const Curve& c) { return c.selected && !c.sparse && c.name == curve.name; });
    if (curve.selected || curve.sparse || !curve.means.empty() || other == set.curves.end()) return curve;
    const std::vector<SeriesPoint> points = std::exchange(curve.points, {});
    std::vector<bool> same(points.size());
    auto at = other->points.begin();
    for (std::size_t i = 0; i < points.size(); ++i) {
        while (at != other->points.end() && at->iteration < points[i].iteration) ++at;
        same[i] = at != other->points.end() && at->iteration == points[i].iteration && at->value == points[i].value;
    }
    bool gap = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool inside = same[i] && (i == 0 || same[i - 1]) && (i + 1 == points.size() || same[i + 1]); // an end of what differs stays
        if (!inside) curve.points.push_back(points[i]);
        else if (!gap && !curve.points.empty()) curve.points.push_back({points[i].iteration, std::nan("")}); // no line across
        gap = inside;
    }
    if (gap && !curve.points.empty()) curve.points.pop_back(); // it ends there
    return curve;
}

} // namespace gradus
