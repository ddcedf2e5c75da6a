// Kernels with nvcuda::wmma, compiled as the interpreter's are.

#include "tests/simt/shim/matrices.hpp"

#include <mma.h>

using namespace nvcuda;

namespace gradus::shim_test {

namespace {

template <class T>
T of_number(double x) {
    if constexpr (std::is_class_v<T>) return T(static_cast<float>(x));
    else return static_cast<T>(x);
}
template <class T>
double number(T x) {
    if constexpr (std::is_class_v<T>) return static_cast<float>(x);
    else return x;
}

/// Into memory, by rows or by columns, 16 elements of padding after each.
template <class T>
void lay_out(T* to, const double* from, int rows, int columns, bool by_rows) {
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) (by_rows ? to[i * (columns + 16) + j] : to[j * (rows + 16) + i]) = of_number<T>(from[i * columns + j]);
}

template <class T, class D, class LayoutA, class LayoutB, int m, int n, int k>
__device__ void multiply(Matrices& of) {
    using Stored = typename wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA>::element_type;
    __shared__ __align__(32) Stored a_memory[m * k * 4], b_memory[k * n * 4];
    __shared__ __align__(32) D c_memory[m * n * 4];
    constexpr bool a_by_rows = std::is_same_v<LayoutA, wmma::row_major>, b_by_rows = std::is_same_v<LayoutB, wmma::row_major>;
    if (threadIdx.x == 0) {
        lay_out(a_memory, of.a, m, k, a_by_rows);
        lay_out(b_memory, of.b, k, n, b_by_rows);
        lay_out(c_memory, of.c, m, n, of.d_by_rows);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, m, n, k, T, LayoutA> a;
    wmma::fragment<wmma::matrix_b, m, n, k, T, LayoutB> b;
    wmma::fragment<wmma::accumulator, m, n, k, D> c;
    const wmma::layout_t layout = of.d_by_rows ? wmma::mem_row_major : wmma::mem_col_major;
    const unsigned step = of.d_by_rows ? n + 16 : m + 16;
    wmma::load_matrix_sync(a, a_memory, (a_by_rows ? k : m) + 16);
    wmma::load_matrix_sync(b, b_memory, (b_by_rows ? n : k) + 16);
    wmma::load_matrix_sync(c, c_memory, step, layout);
    wmma::mma_sync(c, a, b, c);
    for (int i = 0; i < c.num_elements; ++i) c.x[i] = c.x[i] + c.x[i];
    wmma::store_matrix_sync(c_memory, c, step, layout);
    __syncthreads();
    if (threadIdx.x == 0)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j) of.d[i * n + j] = number(of.d_by_rows ? c_memory[i * (n + 16) + j] : c_memory[j * (m + 16) + i]);
}

template <class T, class D, int m, int n, int k>
__global__ void kernel(void* argument) {
    auto& of = *static_cast<Matrices*>(argument);
    if (of.a_by_rows && of.b_by_rows) multiply<T, D, wmma::row_major, wmma::row_major, m, n, k>(of);
    if (of.a_by_rows && !of.b_by_rows) multiply<T, D, wmma::row_major, wmma::col_major, m, n, k>(of);
    if (!of.a_by_rows && of.b_by_rows) multiply<T, D, wmma::col_major, wmma::row_major, m, n, k>(of);
    if (!of.a_by_rows && !of.b_by_rows) multiply<T, D, wmma::col_major, wmma::col_major, m, n, k>(of);
}

} // namespace

const MatrixKernel matrix_kernels[matrix_kernel_count] = {
    {"half 16 16 16", 16, 16, 16, kernel<__half, float, 16, 16, 16>},
    {"half 32 8 16", 32, 8, 16, kernel<__half, float, 32, 8, 16>},
    {"half 8 32 16", 8, 32, 16, kernel<__half, float, 8, 32, 16>},
    {"half into half", 16, 16, 16, kernel<__half, __half, 16, 16, 16>},
    {"bf16 16 16 16", 16, 16, 16, kernel<__nv_bfloat16, float, 16, 16, 16>},
    {"bf16 8 32 16", 8, 32, 16, kernel<__nv_bfloat16, float, 8, 32, 16>},
    {"int8 16 16 16", 16, 16, 16, kernel<signed char, int, 16, 16, 16>},
    {"int8 32 8 16", 32, 8, 16, kernel<signed char, int, 32, 8, 16>},
    {"uint8 16 16 16", 16, 16, 16, kernel<unsigned char, int, 16, 16, 16>},
    {"tf32 16 16 8", 16, 16, 8, kernel<wmma::precision::tf32, float, 16, 16, 8>},
};

} // namespace gradus::shim_test
