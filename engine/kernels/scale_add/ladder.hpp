#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::scale_add {

inline constexpr float a = 0.7f; ///< what x is multiplied by


void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::scale_add
