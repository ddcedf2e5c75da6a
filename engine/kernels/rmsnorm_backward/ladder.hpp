#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::rmsnorm_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::rmsnorm_backward
