#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::transpose_padding {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::transpose_padding
