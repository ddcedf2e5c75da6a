#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::cross_entropy_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::cross_entropy_backward
