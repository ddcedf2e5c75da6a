#pragma once

#include "engine/kernels/faulty/faulty_ladders.hpp"

namespace gradus::faulty::product_index {

FaultyLadder ladder();

} // namespace gradus::faulty::product_index
