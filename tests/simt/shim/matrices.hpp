#pragma once

namespace gradus::shim_test {

/// D = A · B + C by one warp, with nvcuda::wmma. All values are small whole numbers, so that no rounding hides a wrong place.
struct Matrices {
    bool a_by_rows = true, b_by_rows = true, d_by_rows = true;
    const double *a = nullptr, *b = nullptr, *c = nullptr; ///< row-major
    double* d = nullptr;
};

struct MatrixKernel {
    const char* name;
    int m, n, k;
    void (*kernel)(void*); ///< of one lane, with Matrices
};
constexpr int matrix_kernel_count = 10;
extern const MatrixKernel matrix_kernels[matrix_kernel_count];

} // namespace gradus::shim_test
