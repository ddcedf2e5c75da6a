#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::rope_half_split {

constexpr float base = 10000; ///< of the angles: the slowest pair turns once in about 2π · base steps

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::rope_half_split
