#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// The rungs of one ladder of kernels, each in an iteration, on the same problem and data.
const Experiment& climb_ladder_experiment();

} // namespace gradus
