#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::uneven_loops {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::uneven_loops
