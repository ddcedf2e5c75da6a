#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Trains a small Transformer, of any of the engine's kinds of attention and MLP, to sort, reverse or add.
const Experiment& train_gpt();

} // namespace gradus
