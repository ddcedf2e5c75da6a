#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::count_values {

FaultyLadder ladder();

} // namespace gradus::faulty::count_values
