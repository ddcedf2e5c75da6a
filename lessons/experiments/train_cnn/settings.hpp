#pragma once

#include "engine/optim/loss_scaler.hpp"
#include "engine/optim/optimizer.hpp"
#include "lessons/experiments/experiment.hpp"

#include <optional>
#include <vector>

namespace gradus::cnn {

/// The parameters of train_cnn, read and checked.
struct Settings {
    std::vector<Dim> channels; ///< of each convolution, 3 × 3; a pooling of 2 × 2 follows each
    bool batch_norm = true;
    Dim batch = 128;
    Optimizer::Settings optimizer;
    Schedule schedule;
    DType dtype = DType::f32;      ///< of the parameters
    std::optional<DType> low = {}; ///< mixed precision: what autocast computes in
    LossScaler::Settings scaler;   ///< where there is mixed precision
};

/// Throws ArgumentError where the parameters do not fit each other or the `steps` of the run.
Settings read_settings(const Parameters& parameters, StepIndex steps);

/// Weights and biases that are trained.
Dim parameter_count(const Settings& settings);

} // namespace gradus::cnn
