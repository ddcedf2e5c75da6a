#pragma once

#include "views/state/app_state.hpp"

#include <QString>
#include <string_view>

namespace gradus {

/// What a person did, as undo and redo say it: "next page", "η = 5". `kind` as History was told it, the states before and
/// after; `change`: how the branch that an edit made is written, empty where there is none.
QString step_words(std::string_view kind, const AppState& before, const AppState& after, const QString& change);

} // namespace gradus
