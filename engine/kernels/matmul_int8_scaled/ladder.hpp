#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::matmul_int8_scaled {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::matmul_int8_scaled
