#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::sum_rows {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::sum_rows
