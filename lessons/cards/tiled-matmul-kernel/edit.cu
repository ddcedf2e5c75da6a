// Matrix product: C (M, N) = A (M, K) · B (K, N). A block owns a tile of C, 64 × 64, a thread `each` × `each` sums of it in registers.
// 32 × 32 threads have 2 × 2 sums each.

constexpr int tile = 64; // rows and columns of C
constexpr int depth = 8; // of the tiles of A and B, in k

template <int each>
__global__ void matmul_tile_2d(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[tile][depth];
    __shared__ float b_tile[depth][tile];
    constexpr int side = tile / each; // of the block
    const int rank = threadIdx.y * side + threadIdx.x;
    const int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;   // of the tile of C
    const int my_row = threadIdx.y * each, my_column = threadIdx.x * each; // of this thread's square, in the tile
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

        // Yours: for every k of the tiles, `each` elements of a_tile and `each` of b_tile into registers, from my_row and my_column on; and
        // each of them times each of the others onto its sum, by fmaf.
        for (int k = 0; k < depth; ++k) {
        }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; ++j) {
            const int row = row0 + my_row + i, column = column0 + my_column + j;
            if (row < M && column < N) C[row * N + column] = sums[i][j];
        }
}

template __global__ void matmul_tile_2d<8>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_2d<4>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_2d<2>(const float* A, const float* B, float* C, int M, int N, int K);
