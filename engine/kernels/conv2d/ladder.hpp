#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::conv2d {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::conv2d
