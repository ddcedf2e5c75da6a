#pragma once

#include "engine/core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gradus {

enum class ThemeMode : std::uint8_t { light, dark };

/// Where one stands in a Run. At the head the cursor moves on with the Run.
struct Cursor {
    StepIndex iteration = 0;
    bool at_head = true;
    bool operator==(const Cursor&) const = default;
};

/// The only state of the window: a view is a function of the Runs, the cursor and this.
struct AppState {
    int version = 1;
    std::size_t run = 0; ///< number of the selected Run, as the session counts them
    Cursor cursor;
    std::string selection;   ///< id of the selected item of the graph, or empty
    double speed = 30;       ///< iterations per second while playing; 0: as fast as it goes
    ThemeMode theme = ThemeMode::light;
};

} // namespace gradus
