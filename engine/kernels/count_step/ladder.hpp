#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::count_step {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::count_step
