// Product of int8 matrices, rung 1: one thread computes one element.
//
// C (M, N) = A (M, K) · Bᵀ, all row-major; A and B (N, K) are int8, C is int32. B lies as a linear layer keeps its weights: a row holds
// what one column of C is made of. A thread owns C[row][column] and walks along a row of A and a row of B, one byte at a time. Sums of
// whole numbers are exact in any order, as long as they fit: 127 · 128 · K does for K up to 131072.
//
// The lanes of a warp read B a whole row apart: 32 sectors of 32 bytes for 32 bytes. In A they all read the same byte.
//
// Launch: any block; the grid covers columns in x and rows in y.
// Integer operations: 2 · M · N · K. Bytes asked of global memory: 2 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 32, stores to C 4; M · N · K / 32 requests for each
// of A and B.

__global__ void matmul_int8_naive(const signed char* A, const signed char* B, int* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[column * K + k];
    C[row * N + column] = sum;
}
