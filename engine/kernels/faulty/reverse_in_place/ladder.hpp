#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::reverse_in_place {

FaultyLadder ladder();

} // namespace gradus::faulty::reverse_in_place
