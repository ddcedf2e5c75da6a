#pragma once

#include "views/state/app_state.hpp"

#include <optional>
#include <vector>

namespace gradus {

/// Undo and redo as a list of AppStates. What follows from playing is not a step of it; what a person did is.
class History {
public:
    static constexpr std::size_t most = 1000;

    /// What was, before a person changes it. Changes of the same `kind` in a row are one step: a drag is not a hundred.
    void remember(const AppState& before, const char* kind, bool joins = false);
    /// The next change is a step of its own, whatever came before: a drag has ended.
    void separate() { kind_ = nullptr; }

    std::optional<AppState> undo(const AppState& now);
    std::optional<AppState> redo(const AppState& now);
    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

private:
    std::vector<AppState> past_, future_;
    const char* kind_ = nullptr;
};

} // namespace gradus
