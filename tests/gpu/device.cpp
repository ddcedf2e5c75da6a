#include "tests/gpu/device.hpp"

#include "tests/gpu/cuda_call.hpp"

#include <fmt/format.h>
#include <fstream>

namespace gradus::gpu {

namespace {

std::string cuda_version(int version) { return fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10); }

int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
    return value;
}

} // namespace

Device find_device() {
    int driver = 0, runtime = 0, devices = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
    if (driver == 0) throw UnavailableError("No NVIDIA driver is installed on this machine, so no kernel can be run.");
    if (const cudaError_t error = cudaGetDeviceCount(&devices); error != cudaSuccess)
        throw UnavailableError(fmt::format("No GPU can be used: {} (the driver is for {}, this program needs {}).", cudaGetErrorString(error), cuda_version(driver), cuda_version(runtime)));
    if (devices == 0) throw UnavailableError("There is an NVIDIA driver, but it sees no GPU.");

    Device device;
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
    device.name = properties.name;
    device.capability = 10 * properties.major + properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.memory = static_cast<std::int64_t>(properties.totalGlobalMem);
    device.shared_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (std::string number; std::ifstream("/sys/module/nvidia/version") >> number) device.driver = number + ", ";
    device.driver += cuda_version(driver);
    device.runtime = cuda_version(runtime);
    if (device.capability < 75) throw UnavailableError(fmt::format("{} has compute capability {}.{}; the kernels need 7.5.", device.name, properties.major, properties.minor));
    return device;
}

} // namespace gradus::gpu
