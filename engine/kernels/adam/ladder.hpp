#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::adam {

inline constexpr float beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f;
inline constexpr float rest1 = 1 - beta1, rest2 = 1 - beta2;
inline constexpr float rate = 0.0153535f; ///< of step 10: 0.01 / (1 - beta1^10)
inline constexpr float root = 10.0225f;   ///< 1 / √(1 - beta2^10)
inline constexpr float keep = 0.999f;     ///< 1 - 0.01 · decay; Adam's own is 1

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::adam
