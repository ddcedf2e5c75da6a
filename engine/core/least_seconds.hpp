#pragma once

#include "engine/core/clock.hpp"

#include <algorithm>

namespace gradus {

/// The least time of one call within `budget` seconds of calls: what the work takes when nothing disturbs it. Short work is
/// called several times per reading of the clock. Measured.
template <class Work> double least_seconds(Work&& work, double budget = 0.04) {
    const double tick = calibrated_clock().ns_per_tick * 1e-9;
    const auto reading = [&](int calls) {
        const Ticks start = now_ticks();
        for (int i = 0; i < calls; ++i) work();
        return static_cast<double>(now_ticks() - start) * tick;
    };
    const double first = std::max(reading(1), 1e-9);
    const int calls = static_cast<int>(std::clamp(20e-6 / first, 1.0, 2000.0));
    double least = first, spent = first;
    for (int readings = 0; readings < 3 || spent < budget; ++readings) {
        const double seconds = reading(calls);
        spent += seconds;
        least = std::min(least, seconds / calls);
    }
    return least;
}

} // namespace gradus
