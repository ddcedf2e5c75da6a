#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

/// Kernels by the words of their launches. C++17, for nvcc includes it after a kernel's file.
namespace gradus::gpu {

struct KernelParameter {
    std::size_t bytes;
    bool pointer, floating;
};

struct Kernel {
    std::string rung;   ///< "matmul/3_shared"
    std::string launch; ///< "matmul_shared<32>"
    const void* function; ///< for cudaLaunchKernel
    std::vector<KernelParameter> parameters;
};

inline std::vector<Kernel>& registered_kernels() {
    static std::vector<Kernel> kernels;
    return kernels;
}

/// One static object of it for each kernel: see the units that tests/gpu/bundle writes.
struct RegisteredKernel {
    template <class... T>
    RegisteredKernel(const char* rung, const char* launch, void (*kernel)(T...)) {
        registered_kernels().push_back({rung, launch, reinterpret_cast<const void*>(kernel), {{sizeof(T), std::is_pointer<T>::value, std::is_floating_point<T>::value}...}});
    }
};

} // namespace gradus::gpu
