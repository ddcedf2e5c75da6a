#pragma once

#include "engine/simt/kernel_run.hpp"
#include "lessons/experiments/asked.hpp"

#include <utility>

namespace gradus::kernels {

/// What was counted of a kernel: what the Run has, if it is of these parameters; else the kernel is run, with none of its steps recorded.
std::shared_ptr<const KernelTrace> counted_trace(const Asked& asked);
/// With a block recorded, the one that the parameters choose.
std::shared_ptr<const KernelTrace> recorded_block(const Asked& asked);
/// With all blocks recorded. Throws UnavailableError where there are too many.
std::shared_ptr<const KernelTrace> recorded_whole(const Asked& asked);

/// "modulo: reduction/1_modulo | shuffle: reduction/7_shuffle" in an argument: names, and what each stands for. Throws ArgumentError.
std::vector<std::pair<std::string, std::string>> named_values(const Asked& asked, const std::string& argument);

} // namespace gradus::kernels
