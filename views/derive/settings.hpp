#pragma once

#include "engine/trace/run.hpp"

#include <optional>

namespace gradus {

/// A hyperparameter as it stood in an iteration: the manifest's, then every logged edit up to that iteration, those of
/// the ancestors included. None if the Run has no such setting or it is no number.
std::optional<double> setting_at(const Run& run, const std::string& name, StepIndex iteration);

/// The same of a setting that is a text.
std::optional<std::string> text_setting_at(const Run& run, const std::string& name, StepIndex iteration);

/// What a fork was made by: its first edit but breakpoints; none for a Run that starts at its own beginning.
std::optional<Edit> first_change(const Run& run);

/// The same as it is written, or empty.
std::string change_of(const Run& run);

/// A parameter as an iteration began with it, or (after) as its update left it; null if it was not kept.
const RecordedTensor* parameter_in(const IterationTensors& tensors, std::string_view name, bool after);

} // namespace gradus
