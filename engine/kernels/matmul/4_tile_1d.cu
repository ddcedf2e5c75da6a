// Matrix product, rung 4: several rows per thread.
//
// What changed: a thread computes a piece of a column of C and keeps its sums in registers. One load of b_tile now serves `rows_each`
// fmafs: (rows_each + 1) / rows_each loads of shared memory for each, not 2. So fewer threads do a larger tile of C, 64 × 64, and every
// element that a block reads is multiplied 64 times. In k the tiles are only 8 deep.
//
// A thread owns rows_each × 1 elements of C; a warp owns 32 columns of these; a block owns a tile of C, 64 × 64.
// Launch: blockDim = (64, 64 / rows_each), rows_each 4, 8 or 16; the grid covers columns in x and rows in y, 64 at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K / 64 read, 4 · M · N written. Shared: 4 KiB.
// Expected: loads of A 4 sectors per request (four rows of 8 floats), loads of B 4, stores to C 4; a_tile and b_tile 1 wavefront, loads
// and stores alike.
// Source: Boehm 2022.

constexpr int tile = 64; // rows and columns of C
constexpr int depth = 8; // of the tiles of A and B, in k

template <int rows_each>
__global__ void __launch_bounds__(tile * tile / rows_each) matmul_tile_1d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[tile][depth];
    __shared__ float b_tile[depth][tile];
    constexpr int threads = tile * tile / rows_each;
    const int rank = threadIdx.y * tile + threadIdx.x;
    const int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile; // of the tile of C
    float sums[rows_each] = {};

    for (int k0 = 0; k0 < K; k0 += depth) {
        // Load: the threads in their order take the elements row by row. Beyond the edges stand zeros, which leave a sum as it is.
        for (int i = rank; i < tile * depth; i += threads) {
            const int row = row0 + i / depth, k = k0 + i % depth;
            a_tile[i / depth][i % depth] = row < M && k < K ? A[row * K + k] : 0;
        }
        for (int i = rank; i < depth * tile; i += threads) {
            const int k = k0 + i / tile, column = column0 + i % tile;
            b_tile[i / tile][i % tile] = k < K && column < N ? B[k * N + column] : 0;
        }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: one element of B for all rows of this thread.
        for (int k = 0; k < depth; ++k) {
            const float b = b_tile[k][threadIdx.x];
            for (int i = 0; i < rows_each; ++i) sums[i] = fmaf(a_tile[threadIdx.y * rows_each + i][k], b, sums[i]);
        }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    const int column = column0 + threadIdx.x;
    for (int i = 0; i < rows_each; ++i) {
        const int row = row0 + threadIdx.y * rows_each + i;
        if (row < M && column < N) C[row * N + column] = sums[i];
    }
}

template __global__ void matmul_tile_1d<8>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_1d<4>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_1d<16>(const float* A, const float* B, float* C, int M, int N, int K);
