#pragma once

#include "engine/trace/run.hpp"
#include "views/state/app_state.hpp"

#include <memory>
#include <vector>

namespace gradus {

/// What a view sees in one frame, and all it may see.
struct Look {
    const std::vector<std::shared_ptr<const Run>>& runs; ///< as the session counts them; never empty
    const AppState& state;
    std::shared_ptr<const Run> full; ///< holds the cursor's iteration in full; null while that is being computed
    double progress = 0;             ///< of that computation, 0 to 1
    StepIndex planned = 0;           ///< last planned step
    bool playing = false;

    const std::shared_ptr<const Run>& run() const { return runs[state.run]; }
};

} // namespace gradus
