#pragma once

#include <cstdint>
#include <string>

namespace gradus::gpu {

/// The GPU that everything runs on: the first that CUDA sees (CUDA_VISIBLE_DEVICES chooses).
struct Device {
    std::string name;
    int capability = 0; ///< times ten: 80 is 8.0
    int multiprocessors = 0;
    std::int64_t memory = 0;           ///< bytes
    std::int64_t shared_per_block = 0; ///< bytes, for a kernel that opts in
    std::string driver;                ///< "580.65.06, CUDA 13.0"
    std::string runtime;               ///< "CUDA 13.0"
};

/// Throws UnavailableError with the reason, if there is none that can be used.
Device find_device();

} // namespace gradus::gpu
