#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::im2col {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::im2col
