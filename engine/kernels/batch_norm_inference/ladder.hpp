#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::batch_norm_inference {

inline constexpr float epsilon = 1e-5f; ///< keeps the root from 0

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::batch_norm_inference
