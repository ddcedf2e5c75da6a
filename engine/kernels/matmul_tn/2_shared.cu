// Product with a transposed left operand, rung 2: tiles in shared memory.
//
// What changed: a block reads a square tile of A and one of B into shared memory, both along their rows, and every element that it read is
// multiplied `side` times. The tile of A stands as it stands in memory, [k][row of C]; all lanes of a warp read the same word of it.
//
// A thread owns one element of C, and one of each tile to load; a block owns a tile of C, side × side.
// Launch: blockDim = (side, side), side 32 or 16; the grid covers columns in x and rows in y, `side` at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K / side read, 4 · M · N written. Shared: 8 · side² bytes.
// Expected with side 32: loads of A and B and stores to C 4 sectors per request; a_tile and b_tile 1 wavefront, loads and stores alike.

template <int side>
__global__ void matmul_tn_shared(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[side][side]; // [k][row of C]
    __shared__ float b_tile[side][side]; // [k][column of C]
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    const int a_column = blockIdx.y * side + threadIdx.x;
    float sum = 0;

    for (int k0 = 0; k0 < K; k0 += side) {
        // Load: threadIdx.x walks along rows of both; beyond the edges stand zeros, which leave a sum as it is.
        const int k = k0 + threadIdx.y;
        a_tile[threadIdx.y][threadIdx.x] = k < K && a_column < M ? A[k * M + a_column] : 0;
        b_tile[threadIdx.y][threadIdx.x] = k < K && column < N ? B[k * N + column] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a column of a_tile times a column of b_tile.
        for (int i = 0; i < side; ++i) sum = fmaf(a_tile[i][threadIdx.y], b_tile[i][threadIdx.x], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (row < M && column < N) C[row * N + column] = sum;
}

template __global__ void matmul_tn_shared<32>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_tn_shared<16>(const float* A, const float* B, float* C, int M, int N, int K);
