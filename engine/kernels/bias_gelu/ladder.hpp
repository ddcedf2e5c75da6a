#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::bias_gelu {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::bias_gelu
