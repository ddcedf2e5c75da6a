#pragma once

#include "engine/core/clock.hpp"
#include "engine/trace/event.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace gradus {

/// The smallest time, in seconds, that the clock behind these events tells apart: one tick, or, on machines whose counter moves in
/// strides, the largest stride of which all short durations are multiples but for some jitter. Of few durations nothing is said.
inline double clock_step(std::span<const EventRecord> events, const ClockScale& clock) {
    constexpr double jitter = 0.08, longest = 15; // of a stride; strides, beyond which the jitter hides it
    constexpr int most_parts = 10, few = 6;
    std::vector<double> ticks;
    for (const EventRecord& event : events)
        if (event.end > event.start) ticks.push_back(static_cast<double>(event.end - event.start));
    const double tick = clock.ns_per_tick * 1e-9;
    if (ticks.size() < few) return tick;
    const double least = *std::min_element(ticks.begin(), ticks.end());
    for (int parts = 1; parts <= most_parts && least / parts > 2; ++parts) {
        const double stride = least / parts;
        int fit = 0, others = 0;
        double most = 0;
        for (const double length : ticks) {
            const double times = length / stride;
            if (times > longest) continue;
            ++(std::abs(times - std::round(times)) <= jitter ? fit : others);
            most = std::max(most, times);
        }
        if (others == 0 && fit >= few && most > parts + 0.5) return stride * tick;
    }
    return tick;
}

} // namespace gradus
