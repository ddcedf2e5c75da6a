#pragma once

#include "engine/trace/run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gradus {

/// One of the futures to choose from: a scratch fork with another value of the setting.
struct Future {
    double value = 0;
    std::shared_ptr<const Run> run; ///< null until it has begun
    bool done = false;
    bool broken = false;            ///< its last loss is not finite
};

/// Futures that leave the selected Run before one iteration, each with a value of one setting, smallest first.
struct Fan {
    std::string setting = "lr";
    std::size_t run = 0;       ///< number of the Run that they leave
    double now = 0;            ///< the setting's value there
    StepIndex iteration = 0;   ///< the first that is theirs
    StepIndex horizon = 0;     ///< as far as they go, in iterations
    std::vector<Future> futures;
    int chosen = -1;           ///< -1: none
    /// Whether this future is the Run's own: nothing is changed in it.
    bool is_now(std::size_t future) const { return futures[future].value == now; }
};

} // namespace gradus
