#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::running_sum {

FaultyLadder ladder();

} // namespace gradus::faulty::running_sum
