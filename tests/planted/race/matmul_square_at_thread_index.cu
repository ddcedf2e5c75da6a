// A thread owns a square of C, but begins at its own index instead of a square further on: neighbours write the same rows.
//
// rung: matmul/5_tile_2d
// set: M=64
// set: N=64
// set: K=8
// block: 16x16
// expect: race in C

constexpr int tile = 64; // rows and columns of C
constexpr int depth = 8; // of the tiles of A and B, in k

template <int each>
__global__ void matmul_tile_2d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[tile][depth];
    __shared__ float b_tile[depth][tile];
    constexpr int side = tile / each; // of the block
    const int rank = threadIdx.y * side + threadIdx.x;
    const int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;   // of the tile of C
    const int my_row = threadIdx.y, my_column = threadIdx.x * each; // of this thread's square, in the tile
    float sums[each][each] = {};

    for (int k0 = 0; k0 < K; k0 += depth) {
        // Load: the threads in their order take the elements row by row. Beyond the edges stand zeros, which leave a sum as it is.
        for (int i = rank; i < tile * depth; i += side * side) {
            const int row = row0 + i / depth, k = k0 + i % depth;
            a_tile[i / depth][i % depth] = row < M && k < K ? A[row * K + k] : 0;
        }
        for (int i = rank; i < depth * tile; i += side * side) {
            const int k = k0 + i / tile, column = column0 + i % tile;
            b_tile[i / tile][i % tile] = k < K && column < N ? B[k * N + column] : 0;
        }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a column of A times a row of B, from registers.
        for (int k = 0; k < depth; ++k) {
            float a[each], b[each];
            for (int i = 0; i < each; ++i) a[i] = a_tile[my_row + i][k];
            for (int j = 0; j < each; ++j) b[j] = b_tile[k][my_column + j];
            for (int i = 0; i < each; ++i)
                for (int j = 0; j < each; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) {
            const int row = row0 + my_row + i, column = column0 + my_column + j;
            if (row < M && column < N) C[row * N + column] = sums[i][j]; // <- fault: race
        }
}

template __global__ void matmul_tile_2d<4>(const float* A, const float* B, float* C, int M, int N, int K);
