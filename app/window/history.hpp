#pragma once

#include "app/window/former_runs.hpp"
#include "views/state/app_state.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace gradus {

/// A state, and how far the selected Run had been computed then: enough to compute it again.
struct Moment {
    AppState state;
    StepIndex head = 0;   ///< 0: nothing was there yet
    std::size_t runs = 0; ///< how many there were
    std::weak_ptr<FormerRuns> forked = {}; ///< where some were forks: while these are kept, they can be computed again
};

/// Undo and redo as a list of AppStates. What follows from playing is not a step of it; what a person did is.
class History {
public:
    static constexpr std::size_t most = 1000;

    /// What was, before a person changes it. Changes of the same `kind` in a row are one step: a drag is not a hundred.
    void remember(const Moment& before, const char* kind, bool joins = false);
    /// The next change is a step of its own, whatever came before: a drag has ended.
    void separate() { kind_ = nullptr; }

    std::optional<Moment> undo(const Moment& now);
    std::optional<Moment> redo(const Moment& now);
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

private:
    std::vector<Moment> past_, future_;
    const char* kind_ = nullptr;
};

} // namespace gradus
