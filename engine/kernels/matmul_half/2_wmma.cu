// Matrix product of halves, rung 2: tensor cores.
//
// What changed: the 32 lanes of a warp multiply 16 × 16 matrices in one go (nvcuda::wmma). The matrices are spread over the lanes'
// registers, as `fragments`; which lane holds what is left open, so they are loaded, multiplied and stored only as a whole.
// Products are exact in fp32; the tensor core's order of sums is its own.
//
// Fragments know no edges. So tiles go through shared memory, with zeros beyond the edges of A and B, and C comes out that way too. Rows
// there are 8 elements longer, against bank conflicts; a fragment's rows must lie a multiple of 16 bytes apart.
//
// A warp owns 16 × 16 elements of C; a block of warps × warps such owns a tile of C, 16 · warps on a side.
// Launch: blockDim = (32, warps²), warps 1, 2 or 4; the grid covers columns in x and rows in y, 16 · warps at a time.
// FLOPs: 2 · M · N · K, 8192 by a warp at once. Bytes asked of global memory: 4 · M · N · K / (16 · warps) read, 4 · M · N written.
// Shared: 7.8 KiB with 2 × 2 warps.
// Expected with 2 × 2 warps: loads of A (two rows of 16 halves) and B (32 neighbours) 2 sectors per request, stores to C 4; stores to
// a_tile and b_tile 1 wavefront, loads of c_tile 1.
// Source: CUDA C++ Programming Guide, "Warp Matrix Functions".

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
            a_tile[i / 16][i % 16] = row < M && k < K ? A[row * K + k] : __float2half(0);
        }
        for (int i = rank; i < 16 * side; i += threads) {
            const int k = k0 + i / side, column = column0 + i % side;
            b_tile[i / side][i % side] = k < K && column < N ? B[k * N + column] : __float2half(0);
        }
        __syncthreads(); // other threads loaded what this warp multiplies

        // Compute: the whole warp, 16 × 16 times 16 × 16.
        wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
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

template __global__ void matmul_half_wmma<2>(const __half* A, const __half* B, float* C, int M, int N, int K);
template __global__ void matmul_half_wmma<1>(const __half* A, const __half* B, float* C, int M, int N, int K);
template __global__ void matmul_half_wmma<4>(const __half* A, const __half* B, float* C, int M, int N, int K);
