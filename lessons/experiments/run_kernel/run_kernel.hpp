#pragma once

#include "lessons/experiments/experiment.hpp"

namespace gradus {

/// A rung of a ladder of kernels, run lane by lane on the CPU: from the launch down to the bits of one multiply-add.
const Experiment& run_kernel_experiment();

} // namespace gradus
