#pragma once

#include "engine/hardware/chips.hpp"
#include "lessons/experiments/run_kernel/settings.hpp"

namespace gradus::kernels {

/// The parameters of climb_ladder, read and checked: what run_kernel would be given for each rung.
struct ClimbSettings {
    std::vector<Settings> rungs; ///< in the order in which they are climbed
    const Chip* chip = nullptr;  ///< that times are modelled for
    /// Iterations after the last rung begin again with the first.
    const Settings& at(StepIndex iteration) const { return rungs[static_cast<std::size_t>(iteration) % rungs.size()]; }
};
/// Throws ArgumentError where the parameters do not fit each other.
ClimbSettings read_climb(const Setup& setup);
/// Of one rung, climbed or not, with the same sizes, block, and what is to be recorded. A rung that cannot have the block has its usual one;
/// of one with fewer launches or blocks than are to be recorded it is the last.
Settings rung_settings(const Setup& setup, const std::string& rung);

} // namespace gradus::kernels
