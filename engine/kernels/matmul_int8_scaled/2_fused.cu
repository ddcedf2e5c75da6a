// Scaled product of int8 matrices, rung 2: scaled before it is written.
//
// What changed: the thread that has a sum in a register scales it there and then. The sums never see global memory: 8 · M · N bytes and
// one launch less. Work at the end of a product is called its epilogue; bias and activation find their place there too.
//
// A thread owns C[row][column]; a warp owns 32 neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// Integer operations: 2 · M · N · K; FLOPs: 2 · M · N. Bytes asked of global memory: 2 · M · N · K + 8 · M · N (scales) read,
// 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 32; loads of row_scale 1 and column_scale 4, stores to
// C 4.
// Source: Dettmers et al. 2022, as in rung 1.

/// Elements k … k + 3 of a row of K, the first in the lowest byte; zeros beyond its end.
static __device__ int load_word(const signed char* row, int k, int K) {
    if (K % 4 == 0) return *reinterpret_cast<const int*>(row + k);
    unsigned word = 0;
    for (int i = 0; i < 4 && k + i < K; ++i) word |= static_cast<unsigned>(static_cast<unsigned char>(row[k + i])) << 8 * i;
    return static_cast<int>(word);
}

__global__ void matmul_int8_scaled_fused(const signed char* A, const signed char* B, const float* row_scale, const float* column_scale,
                                         float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;

    // The product, exact.
    int sum = 0;
    for (int k = 0; k < K; k += 4) sum = __dp4a(load_word(A + row * K, k, K), load_word(B + column * K, k, K), sum);

    // The epilogue.
    C[row * N + column] = static_cast<float>(sum) * row_scale[row] * column_scale[column];
}
