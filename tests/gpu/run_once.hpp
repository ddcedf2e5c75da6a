#pragma once

#include "engine/kernels/ladder.hpp"
#include "tests/gpu/device.hpp"

#include <string>
#include <vector>

namespace gradus::gpu {

/// Launches what `gradus kernel LADDER/RUNG` counts: the usual problem, the rung's first block, the same numbers. Nothing is compared, so that a
/// profiler sees these launches and no others. Returns words between tabs, a line for each launch ("launch", the rung, the kernel, its grid, its block)
/// and for each output ("output", the rung, its name, the hash of its bytes); or one, "left out", the rung, why. Throws DeviceError.
std::vector<std::string> run_once(const Device& device, const Ladder& ladder, const Rung& rung);

} // namespace gradus::gpu
