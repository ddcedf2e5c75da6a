#pragma once

#include "engine/core/clock.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace gradus::cli {

/// The least time of one call within `budget` seconds of calls: what the work takes when nothing disturbs it. Short work is
/// called several times per reading of the clock.
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

/// One who takes part: its name, and the least seconds of a call in its turn.
struct Contestant {
    std::string name;
    std::function<double()> turn;
    double seconds = 1e300; ///< the least of all turns
};

/// All in turn, `rounds` times, so that each sees the same machine.
inline void race(std::vector<Contestant>& all, int rounds = 3) {
    for (int round = 0; round < rounds; ++round)
        for (Contestant& one : all) one.seconds = std::min(one.seconds, one.turn());
}

} // namespace gradus::cli
