#pragma once

#include "app/window/lesson_driver.hpp"

namespace gradus {

/// What is covered now: what an open prediction hides, and the tensor that the learner hides from himself.
Veil covers_now(const LessonDriver& lesson, const AppState& state);

/// Hides the chosen tensor; where one is hidden already, shows it. False where there is nothing to hide.
bool toggle_own_cover(AppState& state);

} // namespace gradus
