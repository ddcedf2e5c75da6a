#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Softmax and cross-entropy of one row of logits, and the two gradients behind them.
const Experiment& logits();

} // namespace gradus
