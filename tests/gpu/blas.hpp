#pragma once

#include <string>

namespace gradus::gpu {

/// NVIDIA's cuBLAS, if it is on the machine: looked for beside the program, then where the system looks.
class Blas {
public:
    /// Throws UnavailableError, naming what it looked for.
    Blas();
    ~Blas();
    Blas(const Blas&) = delete;
    Blas& operator=(const Blas&) = delete;
    const std::string& version() const { return version_; } ///< "cuBLAS 13.0.2"

    /// C = A · B, row-major, (M, K) · (K, N) -> (M, N), in fp32. Queued; throws DeviceError.
    void sgemm(int M, int N, int K, const float* A, const float* B, float* C);
    /// The same for A and B in fp16, C and the sums in fp32: on tensor cores.
    void hgemm(int M, int N, int K, const void* A, const void* B, float* C);

private:
    template <class Function>
    Function entry(const char* name) const;

    void* library_ = nullptr; ///< stays loaded: it does not unload cleanly while the device is in use
    void* handle_ = nullptr;
    std::string version_;
};

} // namespace gradus::gpu
