#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::copy_2d {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::copy_2d
