#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::gather_bytes {

inline constexpr float scale = 1.0f / 255; ///< a byte becomes a number from 0 to 1

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::gather_bytes
