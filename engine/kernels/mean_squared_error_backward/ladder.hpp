#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::mean_squared_error_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::mean_squared_error_backward
