// Product of int8 matrices, rung 2: four at a time.
//
// What changed: __dp4a takes two words of four int8 each, multiplies them in pairs and adds all four products to a sum, as one
// instruction. For that a thread reads words: a quarter of the loads, and all 32 bits of each are used.
//
// Where K is no multiple of 4, rows do not start at whole words: these are put together byte by byte, with zeros beyond the row's end.
//
// A thread owns C[row][column]; a warp owns 32 neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// Integer operations: 2 · M · N · K. Bytes asked of global memory: 2 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 32, stores to C 4; M · N · K / 128 requests for each
// of A and B.
// Source: CUDA C++ Programming Guide, "Integer Intrinsics": __dp4a.

/// Elements k … k + 3 of a row of K, the first in the lowest byte; zeros beyond its end.
static __device__ int load_word(const signed char* row, int k, int K) {
    if (K % 4 == 0) return *reinterpret_cast<const int*>(row + k);
    unsigned word = 0;
    for (int i = 0; i < 4 && k + i < K; ++i) word |= static_cast<unsigned>(static_cast<unsigned char>(row[k + i])) << 8 * i;
    return static_cast<int>(word);
}

__global__ void matmul_int8_dp4a(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    int sum = 0;
    for (int k = 0; k < K; k += 4) sum = __dp4a(load_word(A + row * K, k, K), load_word(B + column * K, k, K), sum);
    C[row * N + column] = sum;
}
