#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus::mlp {

const std::vector<QuestionInfo>& questions();

/// See Experiment::answer. An argument that is a parameter overrides it.
Answer answer(const Experiment& experiment, std::string_view question, const Arguments& arguments, const Setup& setup,
              const Run* run);

} // namespace gradus::mlp
