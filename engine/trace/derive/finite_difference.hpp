#pragma once

#include "engine/trace/run.hpp"

#include <string>
#include <vector>

namespace gradus {

/// One entry of a gradient beside the central difference of the loss.
struct FiniteDifference {
    std::string parameter;
    std::vector<Dim> index;
    double value = 0;                      ///< θ, before the update
    double gradient = 0;                   ///< as the engine computed it
    double h = 0;
    double loss_above = 0, loss_below = 0; ///< L(θ + h), L(θ - h)
    double difference = 0;                 ///< (L(θ + h) - L(θ - h)) / 2h
    double relative = 0;                   ///< |gradient - difference| / the larger of the two; 0 where both are 0, NaN where one is not finite
    double rounding = 0;                   ///< what the last bit of L alone changes in `difference`: 2^-52 · |L| / 2h
    Dim flipped = 0;                       ///< ReLU gates that stand differently at θ + h and θ - h: a kink between them
};

/// d = (L(θ+h) - L(θ-h)) / 2h on the iteration's own batch, its forward pass computed again in fp64. h is 2^-17 times a power
/// of two no smaller than θ, so that θ ± h are exact. `run` holds the iteration, `origin` the constants (see
/// forward_inputs). Throws UnavailableError where a tensor or an op is missing, ArgumentError for an index outside.
FiniteDifference finite_difference(const Run& run, const Run& origin, StepIndex iteration, const std::string& parameter,
                                   const std::vector<Dim>& index);

} // namespace gradus
