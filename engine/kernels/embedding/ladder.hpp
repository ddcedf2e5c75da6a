#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::embedding {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::embedding
