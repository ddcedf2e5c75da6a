// Product with a transposed right operand, rung 2: tiles in shared memory.
//
// What changed: a block reads a square tile of A and one of B into shared memory. B is read along its rows, 4 sectors for 128 bytes, and stands
// in the tile as it stands in memory: a row of the tile is a column of the product. The lanes then read down a column of the tile, which
// the padding puts into 32 banks. Every element that was read is multiplied `side` times.
//
// A thread owns one element of C, and one of each tile to load; a block owns a tile of C, side × side.
// Launch: blockDim = (side, side), side 32 or 16; the grid covers columns in x and rows in y, `side` at a time.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K / side read, 4 · M · N written. Shared: 8 · side² bytes and the padding.
// Expected with side 32: loads of A and B and stores to C 4 sectors per request; a_tile and b_tile 1 wavefront, loads and stores alike.

template <int side>
__global__ void matmul_nt_shared(const float* A, const float* B, float* C, int M, int N, int K) {
    __shared__ float a_tile[side][side];
    __shared__ float b_tile[side][side + 1]; // [column of C][k]; the padding shifts each row by one bank
    const int column = blockIdx.x * side + threadIdx.x;
    const int row = blockIdx.y * side + threadIdx.y;
    const int b_row = blockIdx.x * side + threadIdx.y;
    float sum = 0;

    for (int k0 = 0; k0 < K; k0 += side) {
        // Load: threadIdx.x walks along rows of both; beyond the edges stand zeros, which leave a sum as it is.
        const int k = k0 + threadIdx.x;
        a_tile[threadIdx.y][threadIdx.x] = row < M && k < K ? A[row * K + k] : 0;
        b_tile[threadIdx.y][threadIdx.x] = b_row < N && k < K ? B[b_row * K + k] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of a_tile times a row of b_tile.
        for (int i = 0; i < side; ++i) sum = fmaf(a_tile[threadIdx.y][i], b_tile[threadIdx.x][i], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (row < M && column < N) C[row * N + column] = sum;
}

template __global__ void matmul_nt_shared<32>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_nt_shared<16>(const float* A, const float* B, float* C, int M, int N, int K);
