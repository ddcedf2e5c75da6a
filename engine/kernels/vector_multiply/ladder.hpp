#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::vector_multiply {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::vector_multiply
