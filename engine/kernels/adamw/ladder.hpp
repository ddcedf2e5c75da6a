#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::adamw {

inline constexpr float lr = 0.01f, decay = 0.1f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
inline constexpr int step = 10; ///< number of this step, from 1 on


void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::adamw
