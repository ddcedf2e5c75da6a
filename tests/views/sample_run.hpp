#pragma once

#include "lessons/experiments/experiment.hpp"

#include <memory>
#include <string>

namespace gradus::testing {

/// A finished Run of the training experiment, every iteration in full.
std::shared_ptr<const Run> sample_run(const std::string& data, const std::string& layers, StepIndex steps);
/// Of any experiment.
std::shared_ptr<const Run> run_of_experiment(const std::string& experiment, const Parameters& parameters, StepIndex steps);

/// A series of every iteration with these values.
std::unique_ptr<Series> series_of(const std::vector<double>& values);

} // namespace gradus::testing
