// Matrix product of halves, rung 3: tensor cores with bf16.
//
// What changed: the inputs are rounded to bf16 first, by launches of their own. bf16 has the range of fp32, so that large sums and
// gradients do not overflow, but 8 bits of significand where fp16 has 11: each element is off by up to 1 part in 256. The tensor core
// does the same as before, with another type of fragment.
//
// A thread of the first kernel rounds one element. In the second, as in rung 2, a warp owns 16 × 16 elements of C and a block of
// warps × warps such owns a tile of C, 16 · warps on a side.
// Launch: to bf16: 1-D, any block, one thread for each element. Product: blockDim = (32, warps²), warps 1, 2 or 4; the grid covers
// columns in x and rows in y, 16 · warps at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 4 · M · N · K / (16 · warps) read, 4 · M · N written, and 4 · K · (M + N) moved by
// the rounding. Shared: 7.8 KiB with 2 × 2 warps.
// Expected with 2 × 2 warps: loads of A, B, A_bf16 and B_bf16 and stores to A_bf16 and B_bf16 2 sectors per request, stores to C 4; stores
// to a_tile and b_tile 1 wavefront, loads of c_tile 1.
// Source: CUDA C++ Programming Guide, "Warp Matrix Functions"; Kalamkar et al., "A Study of BFLOAT16 for Deep Learning Training", 2019.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void matmul_half_to_bf16(const __half* x, __nv_bfloat16* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __float2bfloat16(__half2float(x[i])); // to the nearest, ties to even
}

template <int warps>
__global__ void matmul_half_wmma_bf16(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int M, int N, int K) {
    constexpr int side = 16 * warps; // of the block's tile of C
    constexpr int threads = 32 * warps * warps;
    __shared__ __align__(32) __nv_bfloat16 a_tile[side][16 + 8];
    __shared__ __align__(32) __nv_bfloat16 b_tile[16][side + 8];
    __shared__ __align__(32) float c_tile[side][side + 8];
    const int rank = threadIdx.y * 32 + threadIdx.x;
    const int row0 = blockIdx.y * side, column0 = blockIdx.x * side;                   // of the block's tile of C
    const int my_row = threadIdx.y / warps * 16, my_column = threadIdx.y % warps * 16; // of this warp's, in the block's

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);

    for (int k0 = 0; k0 < K; k0 += 16) {
        // Load: the threads in their order take the elements row by row. Beyond the edges stand zeros, which leave a sum as it is.
        for (int i = rank; i < side * 16; i += threads) {
            const int row = row0 + i / 16, k = k0 + i % 16;
            a_tile[i / 16][i % 16] = row < M && k < K ? A[row * K + k] : __float2bfloat16(0);
        }
        for (int i = rank; i < 16 * side; i += threads) {
            const int k = k0 + i / side, column = column0 + i % side;
            b_tile[i / side][i % side] = k < K && column < N ? B[k * N + column] : __float2bfloat16(0);
        }
        __syncthreads(); // other threads loaded what this warp multiplies

        // Compute: the whole warp, 16 × 16 times 16 × 16.
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> b;
        wmma::load_matrix_sync(a, &a_tile[my_row][0], 16 + 8); // the distance of rows, in elements
        wmma::load_matrix_sync(b, &b_tile[0][my_column], side + 8);
        wmma::mma_sync(sums, a, b, sums);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write: through shared memory, where the edges can be cut off.
    wmma::store_matrix_sync(&c_tile[my_row][my_column], sums, side + 8, wmma::mem_row_major);
    __syncthreads(); // other warps stored what this thread writes out
    for (int i = rank; i < side * side; i += threads) {
        const int row = row0 + i / side, column = column0 + i % side;
        if (row < M && column < N) C[row * N + column] = c_tile[i / side][i % side];
    }
}

template __global__ void matmul_half_wmma_bf16<2>(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int M, int N, int K);
template __global__ void matmul_half_wmma_bf16<1>(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int M, int N, int K);
template __global__ void matmul_half_wmma_bf16<4>(const __nv_bfloat16* A, const __nv_bfloat16* B, float* C, int M, int N, int K);
