#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::layernorm {

constexpr float epsilon = 1e-5f; ///< keeps the root of a row of equal elements from zero

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::layernorm
