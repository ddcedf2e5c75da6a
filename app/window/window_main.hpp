#pragma once

#include "lessons/runtime/session.hpp"

#include <string>

namespace gradus {

/// Whether a window could be shown: there is a display, or Qt was told which platform to use.
bool display_available();

/// Opens the window on a running lesson and returns when it is closed, with the program's exit code.
/// GRADUS_THEME=dark opens it dark. Throws ArgumentError for an unusable request.
int run_window(int& argc, char** argv, RunRequest request, const std::string& title);

} // namespace gradus
