#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// A stack of linear layers beside the one matrix it folds into.
const Experiment& linear_stack();

} // namespace gradus
