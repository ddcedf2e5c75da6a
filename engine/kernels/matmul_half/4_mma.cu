// Matrix product of halves, rung 4: the instructions under wmma.
//
// What changed: the fragments lie open. ldmatrix loads four 8 × 8 matrices from shared memory into one register each, and mma multiplies
// 16 × 16 by 16 × 8; ptx.cuh says which lane holds what. So a lane knows its elements of C and writes them itself: no way back through
// shared memory. For ldmatrix each lane names one row of 16 bytes, and the padding of 8 halves puts the eight rows of a matrix into
// different banks.
//
// A warp owns 16 × 16 elements of C: a lane 2 neighbours each in 2 rows of the left half and of the right half. A block of
// warps × warps such owns a tile of C, 16 · warps on a side.
// Launch: blockDim = (32, warps²), warps 1, 2 or 4; the grid covers columns in x and rows in y, 16 · warps at a time.
// FLOPs: 2 · M · N · K, 4096 by a warp at once. Bytes asked of global memory: 4 · M · N · K / (16 · warps) read, 4 · M · N written.
// Shared: 2.8 KiB with 2 × 2 warps.
// Expected with 2 × 2 warps: loads of A and B 2 sectors per request; stores to C 8 (eight rows, of each every
// second word of one sector); loads of a_tile and b_tile 4 wavefronts, one for each 8 × 8 matrix; stores to both 1.
// Source: PTX ISA, "Matrix multiply-accumulate operation using mma instruction"; CUTLASS.

#include "ptx.cuh"

#include <cuda_fp16.h>

template <int warps>
__global__ void matmul_half_mma(const __half* A, const __half* B, float* C, int M, int N, int K) {
    constexpr int side = 16 * warps; // of the block's tile of C
    constexpr int threads = 32 * warps * warps;
    __shared__ __align__(16) __half a_tile[side][16 + 8];
    __shared__ __align__(16) __half b_tile[16][side + 8];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int rank = warp * 32 + lane;
    const int row0 = blockIdx.y * side, column0 = blockIdx.x * side;     // of the block's tile of C
    const int my_row = warp / warps * 16, my_column = warp % warps * 16; // of this warp's, in the block's
    float left[4] = {}, right[4] = {};                                   // halves of the warp's tile, 8 columns each

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

        // Into registers: the 8 × 8 quarters of A's tile, first the left two, upper before lower; of B's tile the same, turned, so that
        // the two halves in a register are neighbours in k. A lane names row lane % 16, from lane 16 on the right half of it.
        unsigned a[4], b[4];
        ldmatrix_x4(a, &a_tile[my_row + lane % 16][lane / 16 * 8]);
        ldmatrix_x4_transposed(b, &b_tile[lane % 16][my_column + lane / 16 * 8]);

        // Compute: 16 × 16 times 16 × 8, twice.
        mma_m16n8k16(left, a, b[0], b[1]);
        mma_m16n8k16(right, a, b[2], b[3]);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write: register i of a lane is in row lane / 4, or 8 below, and column 2 · (lane % 4), or one more, of either half.
    for (int i = 0; i < 4; ++i) {
        const int row = row0 + my_row + lane / 4 + i / 2 * 8;
        const int column = column0 + my_column + lane % 4 * 2 + i % 2;
        if (row < M && column < N) C[row * N + column] = left[i];
        if (row < M && column + 8 < N) C[row * N + column + 8] = right[i];
    }
}

template __global__ void matmul_half_mma<2>(const __half* A, const __half* B, float* C, int M, int N, int K);
template __global__ void matmul_half_mma<1>(const __half* A, const __half* B, float* C, int M, int N, int K);
template __global__ void matmul_half_mma<4>(const __half* A, const __half* B, float* C, int M, int N, int K);
