#pragma once

#include "lessons/experiments/asked.hpp"

namespace gradus::kernels {

/// What climb_ladder is asked.
const std::vector<AnswerEntry>& climb_answers();

} // namespace gradus::kernels
