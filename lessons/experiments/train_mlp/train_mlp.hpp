#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Trains a multi-layer perceptron, from four XOR points to Fashion-MNIST.
const Experiment& train_mlp();

} // namespace gradus
