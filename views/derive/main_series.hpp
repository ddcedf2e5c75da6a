#pragma once

#include "engine/trace/run.hpp"

#include <string>

namespace gradus {

/// The series that holds a step's place on an axis of its own, where a Run has one.
inline constexpr const char* abscissa_name = "x";

/// What a Run comes down to, step by step: its loss, else the first series it has; empty without any.
std::string main_series(const Run& run);

} // namespace gradus
