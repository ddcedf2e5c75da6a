#include "tests/gpu/blas.hpp"

#include "tests/gpu/cuda_call.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace gradus::gpu {

namespace {

// As cublas_api.h and library_types.h have them; declared here so that no cuBLAS is needed to build this.
constexpr int no_transpose = 0, as_f32 = 0, as_f16 = 2, compute_f32 = 68, any_algorithm = -1;
using Create = int (*)(void** handle);
using Destroy = int (*)(void* handle);
using GetVersion = int (*)(void* handle, int* version);
using Sgemm = int (*)(void* handle, int, int, int m, int n, int k, const float* alpha, const float* a, int lda, const float* b, int ldb, const float* beta, float* c, int ldc);
using GemmEx = int (*)(void* handle, int, int, int m, int n, int k, const void* alpha, const void* a, int a_type, int lda, const void* b, int b_type, int ldb, const void* beta, void* c,
                       int c_type, int ldc, int compute_type, int algorithm);

constexpr float one = 1, zero = 0;

void check_status(int status, const char* call) {
    if (status != 0) throw DeviceError(fmt::format("{}: status {}", call, status));
}

} // namespace

template <class Function>
Function Blas::entry(const char* name) const {
    void* found = dlsym(library_, name);
    if (!found) throw UnavailableError(fmt::format("this cuBLAS has no {}", name));
    return reinterpret_cast<Function>(found);
}

Blas::Blas() {
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"})
        if (!library_) library_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library_) throw UnavailableError("neither libcublas.so.13 nor libcublas.so.12 is beside the program or on the system");
    check_status(entry<Create>("cublasCreate_v2")(&handle_), "cublasCreate");
    int version = 0;
    check_status(entry<GetVersion>("cublasGetVersion_v2")(handle_, &version), "cublasGetVersion");
    version_ = fmt::format("cuBLAS {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

Blas::~Blas() { entry<Destroy>("cublasDestroy_v2")(handle_); }

// To cuBLAS, which counts down columns, a row-major matrix is its transpose: Cᵀ = Bᵀ · Aᵀ.
void Blas::sgemm(int M, int N, int K, const float* A, const float* B, float* C) {
    check_status(entry<Sgemm>("cublasSgemm_v2")(handle_, no_transpose, no_transpose, N, M, K, &one, B, N, A, K, &zero, C, N), "cublasSgemm");
}

void Blas::hgemm(int M, int N, int K, const void* A, const void* B, float* C) {
    check_status(entry<GemmEx>("cublasGemmEx")(handle_, no_transpose, no_transpose, N, M, K, &one, B, as_f16, N, A, as_f16, K, &zero, C, as_f32, N, compute_f32, any_algorithm),
                 "cublasGemmEx");
}

} // namespace gradus::gpu
