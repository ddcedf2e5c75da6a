#pragma once

#include "lessons/experiments/training/settings.hpp"

namespace gradus::cnn {

/// The parameters of train_cnn, read and checked.
struct Settings {
    std::vector<Dim> channels; ///< of each convolution, 3 × 3; a pooling of 2 × 2 follows each
    bool batch_norm = true;
    Dim batch = 128;
    int workers = 0; ///< see BatchSource
    TrainingSettings training;
};

/// Throws ArgumentError where the parameters do not fit each other or the `steps` of the run.
Settings read_settings(const Parameters& parameters, StepIndex steps);

/// Weights and biases that are trained.
Dim parameter_count(const Settings& settings);

} // namespace gradus::cnn
