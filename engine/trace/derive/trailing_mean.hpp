#pragma once

#include "engine/trace/run.hpp"

#include <string_view>
#include <vector>

namespace gradus {

/// A series of every iteration, smoothed: y_i = 1/n · Σ x_j over max(0, i - window + 1) <= j <= i, for from <= i < until.
/// What came before a fork is its ancestors', so that a fork's curve leaves its parent's without a gap. Ends where the Run
/// does and before the first value that is not finite; one before `from` is left out of the means.
std::vector<SeriesPoint> trailing_mean(const Run& run, std::string_view series, StepIndex window, StepIndex from,
                                       StepIndex until);

} // namespace gradus
