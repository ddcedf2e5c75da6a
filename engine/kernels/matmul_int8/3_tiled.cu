// Product of int8 matrices, rung 3: tiles of words in shared memory.
//
// What changed: a block reads a tile of `side` rows of A and one of B, `side` words of four elements in each row. So the lanes read
// neighbours in B too, and every element that was read is multiplied `side` times. One word of padding keeps the rows of b_tile, which
// the lanes read side by side, out of each other's banks.
//
// A thread owns one element of C, and one word of each tile to load; a block owns a tile of C, side × side.
// Launch: blockDim = (side, side), side 32 or 16; the grid covers columns in x and rows in y, `side` at a time.
// Integer operations: 2 · M · N · K. Bytes asked of global memory: 2 · M · N · K / side read, 4 · M · N written. Shared: 8 · side ·
// (side + 1) bytes.
// Expected with side 32: loads of A and B and stores to C 4 sectors per request; a_tile and b_tile 1 wavefront, loads and stores alike.

/// Elements k … k + 3 of a row of K, the first in the lowest byte; zeros beyond its end.
static __device__ int load_word(const signed char* row, int k, int K) {
    if (K % 4 == 0) return k < K ? *reinterpret_cast<const int*>(row + k) : 0;
    unsigned word = 0;
    for (int i = 0; i < 4 && k + i < K; ++i) word |= static_cast<unsigned>(static_cast<unsigned char>(row[k + i])) << 8 * i;
    return static_cast<int>(word);
}

template <int side>
__global__ void matmul_int8_tiled(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
    __shared__ int a_tile[side][side + 1];
    __shared__ int b_tile[side][side + 1];
    const int row0 = blockIdx.y * side, column0 = blockIdx.x * side; // of the tile of C
    int sum = 0;

    for (int k0 = 0; k0 < K; k0 += 4 * side) {
        // Load: threadIdx.x walks along rows. Beyond the edges stand zeros, which leave a sum as it is.
        const int a_row = row0 + threadIdx.y, b_row = column0 + threadIdx.y;
        const int k = k0 + 4 * threadIdx.x;
        a_tile[threadIdx.y][threadIdx.x] = a_row < M ? load_word(A + a_row * K, k, K) : 0;
        b_tile[threadIdx.y][threadIdx.x] = b_row < N ? load_word(B + b_row * K, k, K) : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of a_tile times a row of b_tile.
        for (int i = 0; i < side; ++i) sum = __dp4a(a_tile[threadIdx.y][i], b_tile[threadIdx.x][i], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    const int row = row0 + threadIdx.y, column = column0 + threadIdx.x;
    if (row < M && column < N) C[row * N + column] = sum;
}

template __global__ void matmul_int8_tiled<32>(const signed char* A, const signed char* B, int* C, int M, int N, int K);
template __global__ void matmul_int8_tiled<16>(const signed char* A, const signed char* B, int* C, int M, int N, int K);
