#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Walks downhill on a parabola, in a bowl, or to the line through noisy points.
const Experiment& descend();

} // namespace gradus
