#pragma once

#include "engine/core/least_seconds.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace gradus::cli {

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
