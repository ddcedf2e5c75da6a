#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// Trains a convolutional network on Fashion-MNIST.
const Experiment& train_cnn();

} // namespace gradus
