#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::binary_cross_entropy_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::binary_cross_entropy_backward
