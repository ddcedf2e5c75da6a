#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::activation_step_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::activation_step_backward
