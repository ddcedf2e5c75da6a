#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::sgd {

inline constexpr float lr = 0.1f; ///< learning rate


void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::sgd
