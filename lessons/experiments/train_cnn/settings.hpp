#pragma once

#include "lessons/experiments/training/settings.hpp"

namespace gradus::cnn {

/// What follows a convolution. `layer` takes all of an image's channels together: group norm of one group.
enum class Norm : std::uint8_t { batch, group, layer, none };

/// The parameters of train_cnn, read and checked.
struct Settings {
    std::vector<Dim> channels; ///< of each convolution, 3 × 3; a pooling of 2 × 2 follows each
    Norm norm = Norm::batch;
    Dim groups = 1; ///< of channels, with group norm
    bool average = false; ///< pools by the mean of a window, not by its largest number
    Dim batch = 128;
    int workers = 0; ///< see BatchSource
    TrainingSettings training;
};

/// Throws ArgumentError where the parameters do not fit each other or the `steps` of the run.
Settings read_settings(const Parameters& parameters, StepIndex steps);

/// Weights and biases that are trained.
Dim parameter_count(const Settings& settings);

} // namespace gradus::cnn
