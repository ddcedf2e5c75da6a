// Matrix product, rung 5: a square of sums per thread.
//
// What changed: a thread computes each × each elements of C. For every k it loads `each` elements of A and `each` of B into registers
// and multiplies every one with every other: 2 / each loads of shared memory for an fmaf. With 8 × 8 that is a quarter.
//
// The price: the elements that neighbouring lanes read lie `each` words apart in b_tile, and `each` rows in a_tile. They meet in the
// same banks; and the lanes write C in pieces that are `each` apart. The next rungs mend that.
//
// A thread owns each × each elements of C; a block owns a tile of C, 64 × 64.
// Launch: blockDim = (64 / each, 64 / each), each 8, 4 or 2; the grid covers columns in x and rows in y, 64 at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K / 64 read, 4 · M · N written. Shared: 4 KiB.
// Expected with 8 × 8: loads of A and B 4 sectors per request, stores to C 32; loads of a_tile 4 wavefronts, of b_tile 2; stores to
// both 1.
// Source: Boehm 2022; Volkov and Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", 2008.

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
            if (row < M && column < N) C[row * N + column] = sums[i][j];
        }
}

template __global__ void matmul_tile_2d<8>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_2d<4>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tile_2d<2>(const float* A, const float* B, float* C, int M, int N, int K);
