// Tensor cores: the next tiles are loaded over those that another warp still reads into its fragments.
//
// rung: matmul_half/2_wmma
// set: M=32
// set: N=32
// set: K=32
// block: 32x4
// expect: race in a_tile, b_tile

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <int warps>
__global__ void matmul_half_wmma(const __half* A, const __half* B, float* C, int M, int N, int K) {
    constexpr int side = 16 * warps; // of the block's tile of C
    constexpr int threads = 32 * warps * warps;
    __shared__ __align__(32) __half a_tile[side][16 + 8];
    __shared__ __align__(32) __half b_tile[16][side + 8];
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
            a_tile[i / 16][i % 16] = row < M && k < K ? A[row * K + k] : __float2half(0); // <- fault: race
        }
        for (int i = rank; i < 16 * side; i += threads) {
            const int k = k0 + i / side, column = column0 + i % side;
            b_tile[i / side][i % side] = k < K && column < N ? B[k * N + column] : __float2half(0); // <- fault: race
        }
        __syncthreads(); // other threads loaded what this warp multiplies

        // Compute: the whole warp, 16 × 16 times 16 × 16.
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
        wmma::load_matrix_sync(a, &a_tile[my_row][0], 16 + 8); // the distance of rows, in elements // <- fault: race
        wmma::load_matrix_sync(b, &b_tile[0][my_column], side + 8); // <- fault: race
        wmma::mma_sync(sums, a, b, sums);
    }

    // Write: through shared memory, where the edges can be cut off.
    wmma::store_matrix_sync(&c_tile[my_row][my_column], sums, side + 8, wmma::mem_row_major);
    __syncthreads(); // other warps stored what this thread writes out
    for (int i = rank; i < side * side; i += threads) {
        const int row = row0 + i / side, column = column0 + i % side;
        if (row < M && column < N) C[row * N + column] = c_tile[i / side][i % side];
    }
}

template __global__ void matmul_half_wmma<2>(const __half* A, const __half* B, float* C, int M, int N, int K);
