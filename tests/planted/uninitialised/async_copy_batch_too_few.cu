// All but two batches have landed: the tile that is multiplied is one of the two.
//
// rung: matmul/8_double_buffered
// set: M=64
// set: N=128
// set: K=32
// block: 32x4
// expect: uninitialised in a_tile, b_tile

#include <cuda_pipeline.h>

constexpr int depth = 8;                         // of the tiles of A and B, in k
constexpr int warp_rows = 32, warp_columns = 64; // of a warp's tile of C
constexpr int half_rows = 16, half_columns = 32; // of a quarter of it
constexpr int lane_columns = 8;                  // lanes side by side in a quarter

/// Four neighbours in shared memory.
static __device__ void read4(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from); // <- fault: uninitialised
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

template <int warps_down, int warps_across>
__global__ void matmul_double_buffered(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int tile_rows = warps_down * warp_rows, tile_columns = warps_across * warp_columns;
    constexpr int threads = warps_down * warps_across * 32;
    __shared__ __align__(16) float a_tile[2][depth][tile_rows + 4]; // turned: a_tile[…][k][row]
    __shared__ __align__(16) float b_tile[2][depth][tile_columns];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int rank = warp * 32 + lane;
    const int row0 = blockIdx.y * tile_rows, column0 = blockIdx.x * tile_columns; // of the block's tile of C
    // Of this lane's piece of the first quarter of its warp's tile, in the block's tile.
    const int my_row = warp / warps_across * warp_rows + lane / lane_columns * 4;
    const int my_column = warp % warps_across * warp_columns + lane % lane_columns * 4;
    float sums[8][8] = {}; // rows 0 … 3 in the upper quarters, 4 … 7 in the lower; columns 0 … 3 in the left, 4 … 7 in the right

    const int tiles = (K + depth - 1) / depth;
    for (int t = 0; t <= tiles; ++t) {
        // Start: tile t, into the half that tile t - 1 does not lie in.
        if (t < tiles) {
            const int k0 = t * depth;
            for (int i = rank; i < tile_rows * depth; i += threads) {
                const int row = row0 + i / depth, k = k0 + i % depth;
                const bool inside = row < M && k < K;
                __pipeline_memcpy_async(&a_tile[t % 2][i % depth][i / depth], inside ? A + row * K + k : A, 4, inside ? 0 : 4);
            }
            if (N % 4 == 0)
                for (int i = 4 * rank; i < depth * tile_columns; i += 4 * threads) {
                    const int k = k0 + i / tile_columns, column = column0 + i % tile_columns;
                    const bool inside = k < K && column < N;
                    __pipeline_memcpy_async(&b_tile[t % 2][i / tile_columns][i % tile_columns],
                                            inside ? B + k * N + column : B, 16, inside ? 0 : 16);
                }
            else
                for (int i = rank; i < depth * tile_columns; i += threads) {
                    const int k = k0 + i / tile_columns, column = column0 + i % tile_columns;
                    const bool inside = k < K && column < N;
                    __pipeline_memcpy_async(&b_tile[t % 2][i / tile_columns][i % tile_columns],
                                            inside ? B + k * N + column : B, 4, inside ? 0 : 4);
                }
        }
        __pipeline_commit(); // in the last round an empty batch, so that "all but one" is always tile t - 1
        if (t == 0) continue;

        // Wait: for all batches of this thread but the newest.
        __pipeline_wait_prior(2);
        __syncthreads(); // other threads copied what this one multiplies

        // Compute: tile t - 1, a column of A times a row of B, from registers.
        const int half = (t - 1) % 2;
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read4(&a_tile[half][k][my_row], a);
            read4(&a_tile[half][k][my_row + half_rows], a + 4);
            read4(&b_tile[half][k][my_column], b);
            read4(&b_tile[half][k][my_column + half_columns], b + 4);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
        __syncthreads(); // the next round's copies overwrite what others may still be reading
    }

    // Write: fours where rows of C start at multiples of 16 bytes.
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4) {
            const int row = row0 + my_row + i % 4 + i / 4 * half_rows;
            const int column = column0 + my_column + j / 4 * half_columns;
            if (row >= M || column >= N) continue;
            float* to = C + row * N + column;
            if (N % 4 == 0)
                *reinterpret_cast<float4*>(to) = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            else
                for (int l = 0; l < 4 && column + l < N; ++l) to[l] = sums[i][j + l];
        }
}

template __global__ void matmul_double_buffered<2, 2>(const float* A, const float* B, float* C, int M, int N, int K);
