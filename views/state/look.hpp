#pragma once

#include "engine/data/dataset.hpp"
#include "engine/trace/kernel/kernel_events.hpp"
#include "engine/trace/run.hpp"
#include "views/state/app_state.hpp"
#include "views/state/fan.hpp"
#include "views/state/kernel_draft.hpp"

#include <memory>
#include <vector>

namespace gradus {

/// What a view sees in one frame, and all it may see.
struct Look {
    const std::vector<std::shared_ptr<const Run>>& runs; ///< as the session counts them, then scratch forks; never empty
    const AppState& state;
    std::shared_ptr<const Run> full; ///< holds the cursor's iteration in full; null while that is being computed
    double progress = 0;             ///< of that computation, 0 to 1
    StepIndex planned = 0;           ///< last planned step
    bool playing = false;
    std::size_t scratch = 0;         ///< so many of `runs`, at the end, are scratch forks that nobody has decided on
    const Fan* fan = nullptr;        ///< futures to choose from, while they are held open
    /// The Run that a branch left, holding the cursor's iteration in full; null where it has none or while that is being
    /// computed: who compares waits.
    std::shared_ptr<const Run> left = nullptr;
    /// What the Runs read, with the examples that they are tested on; null where they read none, and until it is loaded.
    std::shared_ptr<const Dataset> data = nullptr;
    /// What lies below the kernels of the cursor's iteration; null where nothing of them was recorded, and until it is at hand.
    std::shared_ptr<const KernelEvents> kernels = nullptr;
    /// What came of the text of a kernel that somebody is writing; null: nobody is.
    std::shared_ptr<const KernelDraft> draft = nullptr;

    const std::shared_ptr<const Run>& run() const { return runs[state.run]; }
    /// The cursor's iteration is being computed for the first time: what it lacks may still come.
    bool to_come() const { return run()->state() == RunState::growing && run()->head() <= state.cursor.iteration; }
};

} // namespace gradus
