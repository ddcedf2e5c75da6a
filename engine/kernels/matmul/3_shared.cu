// Matrix product, rung 3: tiles in shared memory.
//
// What changed: a block reads a square tile of A and one of B into shared memory, and every element that it read is multiplied `side`
// times. Global memory is asked for a `side`-th of the bytes. Each fmaf still has two loads, now from shared memory.
//
// A thread owns one element of C, and one of each tile to load; a block owns a tile of C, side × side.
// Launch: blockDim = (side, side), side 32 or 16; the grid covers columns in x and rows in y, `side` at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K / side read, 4 · M · N written. Shared: 8 · side² bytes.
// Expected with side 32: loads of A and B and stores to C 4 sectors per request; a_tile and b_tile 1 wavefront, loads and stores alike:
// the lanes read one word of a_tile, all the same, and 32 neighbours of b_tile.
// Source: CUDA C++ Programming Guide, "Shared Memory"; Boehm 2022.

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
        for (int k = 0; k < side; ++k) sum = fmaf(a_tile[threadIdx.y][k], b_tile[k][threadIdx.x], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (row < M && column < N) C[row * N + column] = sum;
}

template __global__ void matmul_shared<32>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_shared<16>(const float* A, const float* B, float* C, int M, int N, int K);
