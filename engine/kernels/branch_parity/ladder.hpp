#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::branch_parity {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::branch_parity
