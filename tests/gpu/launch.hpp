#pragma once

#include "engine/simt/prepared_run.hpp"
#include "tests/gpu/device.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gradus::gpu {

/// Where buffers lie in the device's memory.
using Addresses = std::map<std::string, std::byte*>;

/// Queues kernel<<<grid, block, shared_bytes>>>(arguments). Throws ArgumentError if the program does not hold that kernel or its parameters
/// are of other types than the arguments, DeviceError if CUDA refuses the launch.
void launch(const std::string& rung, const KernelStep& step, const Addresses& buffers);

/// All of a run's launches on its buffers, as `bytes` holds them before and after. Waits for them. Throws as `launch` does.
void run_on_device(const simt::PreparedRun& run, const std::string& rung, std::vector<std::byte>& bytes);

/// Why one of the rung's launches, of those that are checked or timed, would throw ArgumentError; empty if none. Needs no device.
std::string lacking(const Ladder& ladder, const Rung& rung);

/// Why this device cannot run them, though another may; empty if it can.
std::string why_not(const Device& device, const std::string& rung, int lowest, const KernelPlan& plan);

} // namespace gradus::gpu
