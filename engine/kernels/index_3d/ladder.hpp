#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::index_3d {

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::index_3d
