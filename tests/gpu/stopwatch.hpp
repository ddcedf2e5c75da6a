#pragma once

#include <functional>
#include <vector>

namespace gradus::gpu {

/// Runs work on the device over and over, once without counting, and times each part of it by CUDA events. Medians in µs, part by part:
/// of at least 3 repeats, of at most 25, of about half a second. Throws DeviceError.
std::vector<double> median_times(const std::vector<std::function<void()>>& parts);

} // namespace gradus::gpu
