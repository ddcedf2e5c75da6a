#pragma once

#include "engine/optim/loss_scaler.hpp"
#include "engine/optim/optimizer.hpp"
#include "lessons/experiments/experiment.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gradus {

/// How a net is trained, whatever net it is: the part of an experiment's parameters that all trainings share.
struct TrainingSettings {
    Optimizer::Settings optimizer;
    Schedule schedule;
    double clip = 0;               ///< the largest norm over all gradients; 0: none
    int accumulate = 1;            ///< iterations whose gradients are averaged before the parameters move
    bool checkpointing = false;    ///< activations inside the net's blocks are computed again for the backward pass
    DType dtype = DType::f32;      ///< of the parameters
    std::optional<DType> low = {}; ///< mixed precision: what autocast computes in
    LossScaler::Settings scaler;   ///< where there is mixed precision
};

/// What differs from experiment to experiment.
struct TrainingDefaults {
    std::string lr, weight_decay, warmup;
};

/// Their declarations, to be appended to an experiment's own.
std::vector<ParameterInfo> training_parameters(const TrainingDefaults& defaults);

/// `steps` are the run's: where a schedule ends. Throws ArgumentError where the parameters do not fit each other; `experiment` is
/// named in the sentence.
TrainingSettings read_training(const std::string& experiment, const Parameters& parameters, StepIndex steps);

} // namespace gradus
