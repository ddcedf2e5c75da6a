#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::fill {

inline constexpr float value = 0.5f; ///< that is filled in


void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::fill
