#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::thread_index {

FaultyLadder ladder();

} // namespace gradus::faulty::thread_index
