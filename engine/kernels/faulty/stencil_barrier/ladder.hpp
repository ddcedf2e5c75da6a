#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::stencil_barrier {

FaultyLadder ladder();

} // namespace gradus::faulty::stencil_barrier
