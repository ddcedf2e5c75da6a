#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::one_hot_accuracy {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::one_hot_accuracy
