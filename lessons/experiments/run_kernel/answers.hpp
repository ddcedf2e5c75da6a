#pragma once

#include "lessons/experiments/asked.hpp"

namespace gradus::kernels {

/// What run_kernel is asked.
const std::vector<AnswerEntry>& answers();

} // namespace gradus::kernels
