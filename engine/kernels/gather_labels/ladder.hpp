#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::gather_labels {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::gather_labels
