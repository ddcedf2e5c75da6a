#pragma once

#include "engine/core/error.hpp"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <string>

namespace gradus::gpu {

/// A call of the CUDA runtime failed; the sentence names the call and CUDA's reason.
class DeviceError : public Error {
    using Error::Error;
};

inline void check(cudaError_t error, const std::string& what) {
    if (error != cudaSuccess) throw DeviceError(what + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")");
}

/// Bytes of the device's memory.
class DeviceMemory {
public:
    explicit DeviceMemory(std::size_t bytes) { check(cudaMalloc(&bytes_, bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes"); }
    ~DeviceMemory() { static_cast<void>(cudaFree(bytes_)); } // fails after a kernel's fault, which was reported
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    std::byte* get() const { return static_cast<std::byte*>(bytes_); }

private:
    void* bytes_ = nullptr;
};

} // namespace gradus::gpu
