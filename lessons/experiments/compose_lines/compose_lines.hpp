#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Adds, multiplies and composes lines, point by point.
const Experiment& compose_lines();

} // namespace gradus
