#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::strided_read {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::strided_read
