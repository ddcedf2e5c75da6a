#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::activation_tanh_backward_of_y {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::activation_tanh_backward_of_y
