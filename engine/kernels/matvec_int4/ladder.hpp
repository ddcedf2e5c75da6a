#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::matvec_int4 {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::matvec_int4
