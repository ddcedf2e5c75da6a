// Scaled product of int8 matrices, rung 1: product and scaling in two launches.
//
// C (M, N) = diag(row_scale) · A (M, K) · Bᵀ · diag(column_scale): a linear layer with 8-bit numbers. A holds activations, with a scale
// for each row; B (N, K) holds weights as the layer keeps them, with a scale for each of its rows, which are the columns of C. As a scale
// belongs to a whole row, it stands outside the sum: the product is one of whole numbers, exact, and is scaled once at the end.
//
// Here the int32 sums go out to global memory, and a second kernel reads them back and scales them.
//
// A thread owns one element: of `sums` in the first launch, of C in the second. A warp owns 32 neighbours of a row.
// Launch: both: any block; the grid covers columns in x and rows in y.
// Integer operations: 2 · M · N · K; FLOPs: 2 · M · N. Bytes asked of global memory: 2 · M · N · K + 4 · M · N (sums) + 8 · M · N (scales)
// read, 8 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 32, stores to and loads of sums 4; loads of row_scale 1
// and column_scale 4, stores to C 4.
// Source: Dettmers et al., "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale", 2022 (vector-wise quantisation).

/// Elements k … k + 3 of a row of K, the first in the lowest byte; zeros beyond its end.
static __device__ int load_word(const signed char* row, int k, int K) {
    if (K % 4 == 0) return *reinterpret_cast<const int*>(row + k);
    unsigned word = 0;
    for (int i = 0; i < 4 && k + i < K; ++i) word |= static_cast<unsigned>(static_cast<unsigned char>(row[k + i])) << 8 * i;
    return static_cast<int>(word);
}

__global__ void matmul_int8_scaled_sums(const signed char* A, const signed char* B, int* sums, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    int sum = 0;
    for (int k = 0; k < K; k += 4) sum = __dp4a(load_word(A + row * K, k, K), load_word(B + column * K, k, K), sum);
    sums[row * N + column] = sum;
}

__global__ void matmul_int8_scaled_scale(const int* sums, const float* row_scale, const float* column_scale, float* C, int M, int N) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    C[row * N + column] = static_cast<float>(sums[row * N + column]) * row_scale[row] * column_scale[column];
}
