#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::misaligned_copy {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::misaligned_copy
