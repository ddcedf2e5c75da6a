#pragma once

#include "engine/trace/run.hpp"
#include "lessons/runtime/session.hpp"
#include "views/state/look.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace gradus::testing {

/// A Run written by hand, with times that a test can name: an iteration of three phases (forward, backward, update) with
/// a module and `ops` ops in each.
///
///     ordinals with one op each: 0 iteration; 1 forward 2 layer1 3 op; 4 backward 5 layer1 6 op; 7 update 8 layer1 9 op
struct WrittenRun {
    StepIndex steps = 10, planned = 20, observe_every = 1;
    int ops = 1;                                              ///< per phase
    std::function<Ticks(StepIndex, int phase)> nanoseconds =  ///< of each op of a phase
        [](StepIndex, int phase) { return Ticks{100} * (phase == 0 ? 3 : phase == 1 ? 5 : 2); };
    std::function<double(StepIndex)> loss = [](StepIndex i) { return 1.0 / (1.0 + static_cast<double>(i)); };
    std::shared_ptr<const Run> parent = {};
    StepIndex from = 0;
    std::vector<std::string> edits = {}; ///< logged where it starts
    std::shared_ptr<Run> write() const;
};

/// The runs of a session that trained a small net, observing every `observe_every`-th step, with a fork for each edit.
struct ForkedRuns {
    std::unique_ptr<Session> session;
    std::vector<std::shared_ptr<const Run>> runs;
};
ForkedRuns forked_runs(const std::string& data, const std::string& layers, StepIndex steps, StepIndex observe_every,
                       const std::vector<std::pair<std::string, StepIndex>>& edits);

/// The iteration in full as the session gives it: the Run itself, or a re-computation that is waited for.
std::shared_ptr<const Run> full_of(Session& session, std::size_t run, StepIndex iteration);

} // namespace gradus::testing
