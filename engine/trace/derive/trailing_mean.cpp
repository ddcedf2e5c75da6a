#include "engine/trace/derive/trailing_mean.hpp"

#include <algorithm>
#include <cmath>

namespace gradus {

std::vector<SeriesPoint> trailing_mean(const Run& run, std::string_view name, StepIndex window, StepIndex from,
                                       StepIndex until) {
    std::vector<SeriesPoint> out;
    const Series* series = run.find_series(name);
    if (!series || !series->info().every_iteration) return out;
    window = std::max<StepIndex>(1, window);
    from = std::max<StepIndex>(0, from);
    const StepIndex start = std::max<StepIndex>(0, from - window + 1);
    std::vector<double> values; // from `start` on
    for (StepIndex i = start; i < std::min(until, run.head()); ++i) {
        const double value = run.value_at(name, i).value_or(NAN);
        if (i >= from && !std::isfinite(value)) break;
        values.push_back(value);
    }
    for (StepIndex i = from; i < start + static_cast<StepIndex>(values.size()); ++i) {
        double sum = 0; // added anew each time: a running sum would keep the rounding of large values that have left it
        int count = 0;
        for (StepIndex j = std::max(start, i - window + 1); j <= i; ++j) {
            const double value = values[static_cast<std::size_t>(j - start)];
            if (!std::isfinite(value)) continue;
            sum += value;
            ++count;
        }
        out.push_back({i, sum / count});
    }
    return out;
}

} // namespace gradus
