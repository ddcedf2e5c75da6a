#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::softmax_cross_entropy_backward {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::softmax_cross_entropy_backward
