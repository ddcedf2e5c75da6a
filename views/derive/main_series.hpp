#pragma once

#include "engine/trace/run.hpp"

#include <optional>
#include <string>

namespace gradus {

/// The series that holds a step's place on an axis of its own, where a Run has one.
inline constexpr const char* abscissa_name = "x";

/// What a Run comes down to, step by step: its loss, else the first series it has; empty without any.
std::string main_series(const Run& run);

/// The tensor whose numbers a series has: that of its name, p for p₀. Null if there is none.
const RecordedTensor* tensor_of_series(const IterationTensors& tensors, std::string name);

/// What a series' numbers are: those of its tensor, else what a Run yields. None while no step's tensors are at hand.
std::optional<Role> series_role(const Run& run, std::string name);

} // namespace gradus
