#pragma once

#include "lessons/experiments/asked.hpp"

namespace gradus::kernels {

/// What run_kernel is asked, by topic: which elements are written, what warps do, how one kernel compares with another, what attention is.
const std::vector<AnswerEntry>& coverage_answers();
const std::vector<AnswerEntry>& warp_answers();
const std::vector<AnswerEntry>& comparing_answers();
const std::vector<AnswerEntry>& attention_basics();

} // namespace gradus::kernels
