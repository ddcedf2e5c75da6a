#pragma once

#include "engine/kernels/ladder.hpp"

namespace gradus::struct_layout {

constexpr float dx = 0.5f, dy = -0.25f, dz = 0.1f; ///< by how much all particles move

void reference(const Problem& problem, KernelValues& values); ///< rung 0
Ladder ladder();

} // namespace gradus::struct_layout
