// `k <= side` reads a column that the tile has not.
//
// rung: matmul/3_shared
// set: M=32
// set: N=32
// set: K=64
// block: 16x16
// expect: out-of-bounds

template <int side>
__global__ void matmul_shared(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side];
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    float sum = 0;

    for (int k0 = 0; k0 < K; k0 += side) {
        // Load: beyond the edges stand zeros, which leave a sum as it is.
        const int a_column = k0 + threadIdx.x;
        const int b_row = k0 + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = row < M && a_column < K ? A[row * K + a_column] : 0;
        b_tile[threadIdx.y][threadIdx.x] = b_row < K && column < N ? B[b_row * N + column] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of a_tile times a column of b_tile.
        for (int k = 0; k <= side; ++k) sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum); // <- fault: out-of-bounds
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (row < M && column < N) C[row * N + column] = sum;
}

template __global__ void matmul_shared<16>(const float* A, const float* B, float* C, int M, int N, int K);
