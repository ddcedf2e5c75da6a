#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::one_long_loop {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::one_long_loop
