#pragma once

#include "lessons/experiments/asked.hpp"

namespace gradus::kernels {

/// What run_kernel is asked about the ladder `attention`.
const std::vector<AnswerEntry>& attention_answers();

} // namespace gradus::kernels
