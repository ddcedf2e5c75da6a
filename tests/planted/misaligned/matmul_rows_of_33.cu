// Fours at a time, whatever the length of a row: the second row of 33 does not begin at a multiple of 16 bytes.
//
// rung: matmul/6_vectorised
// set: M=64
// set: N=64
// set: K=33
// expect: misaligned in A

constexpr int tile = 64; // rows and columns of C
constexpr int depth = 8; // of the tiles of A and B, in k

/// x[row][column … column + 3] of a matrix, and zeros beyond its edges, which leave a sum as it is.
static __device__ float4 load4(const float* x, int row, int column, int rows, int columns) {
    if (row >= rows || column >= columns) return make_float4(0, 0, 0, 0);
    const float* from = x + row * columns + column;
    return *reinterpret_cast<const float4*>(from); // <- fault: misaligned
}

/// Four neighbours in shared memory.
static __device__ void read4(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

template <int each>
__global__ void matmul_vectorised(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ __align__(16) float a_tile[depth][tile + 4]; // turned: a_tile[k][row]
    __shared__ __align__(16) float b_tile[depth][tile];
    constexpr int side = tile / each; // of the block
    const int rank = threadIdx.y * side + threadIdx.x;
    const int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;       // of the tile of C
    const int my_row = threadIdx.y * each, my_column = threadIdx.x * each; // of this thread's square, in the tile
    float sums[each][each] = {};

    for (int k0 = 0; k0 < K; k0 += depth) {
        // Load: the threads in their order take fours of elements row by row.
        for (int i = 4 * rank; i < tile * depth; i += 4 * side * side) {
            const int row = i / depth, k = i % depth;
            const float4 four = load4(A, row0 + row, k0 + k, M, K);
            a_tile[k][row] = four.x;
            a_tile[k + 1][row] = four.y;
            a_tile[k + 2][row] = four.z;
            a_tile[k + 3][row] = four.w;
        }
        for (int i = 4 * rank; i < depth * tile; i += 4 * side * side) {
            const int k = i / tile, column = i % tile;
            *reinterpret_cast<float4*>(&b_tile[k][column]) = load4(B, k0 + k, column0 + column, K, N);
        }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a column of A times a row of B, from registers.
        for (int k = 0; k < depth; ++k) {
            float a[each], b[each];
            for (int i = 0; i < each; i += 4) read4(&a_tile[k][my_row + i], a + i);
            for (int j = 0; j < each; j += 4) read4(&b_tile[k][my_column + j], b + j);
            for (int i = 0; i < each; ++i)
                for (int j = 0; j < each; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write: fours where rows of C start at multiples of 16 bytes.
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < each; j += 4) {
            const int row = row0 + my_row + i, column = column0 + my_column + j;
            if (row >= M || column >= N) continue;
            float* to = C + row * N + column;
            if (N % 4 == 0)
                *reinterpret_cast<float4*>(to) = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            else
                for (int l = 0; l < 4 && column + l < N; ++l) to[l] = sums[i][j + l];
        }
}

template __global__ void matmul_vectorised<4>(const float* A, const float* B, float* C, int M, int N, int K);
