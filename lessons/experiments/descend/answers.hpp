#pragma once

#include "lessons/experiments/asked.hpp"

namespace gradus::descent {

const std::vector<AnswerEntry>& entries();

} // namespace gradus::descent
