#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::binary_accuracy {

inline constexpr float threshold = 0.25f; ///< between no and yes

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::binary_accuracy
