#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::momentum {

inline constexpr float lr = 0.1f; ///< learning rate
inline constexpr float mu = 0.9f; ///< share of the velocity that stays


void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::momentum
