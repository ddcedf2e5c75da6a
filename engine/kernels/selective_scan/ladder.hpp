#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::selective_scan {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::selective_scan
