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
    /// What kind of change the last undo or redo went over.
    const char* moved() const { return moved_; }
    bool can_undo() const { return !past_.empty(); }
    /// What undo would lead back to; null where there is nothing.
    const Moment* last() const { return past_.empty() ? nullptr : &past_.back().moment; }
    bool can_redo() const { return !future_.empty(); }

private:
    struct Step {
        Moment moment;
        const char* kind = ""; ///< of the change between it and what was then
    };
    std::vector<Step> past_, future_;
    const char *kind_ = nullptr, *moved_ = "";
};

} // namespace gradus
