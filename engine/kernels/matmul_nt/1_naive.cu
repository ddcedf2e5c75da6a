// Product with a transposed right operand, rung 1: one thread computes one element.
//
// C (M, N) = A (M, K) · Bᵀ, where B (N, K) is stored as it is: no one turns it round. C[row][column] is row `row` of A times row `column` of B. So
// come x · Wᵀ with weights stored as (out, in), the gradient dx = dy · Wᵀ of y = x · W, and the scores Q · Kᵀ of attention. The sum is one
// chain of fmaf in the order of k, in every rung.
//
// The lanes of a warp have neighbouring columns: they read B a whole row apart, 32 sectors of 32 bytes for 128 bytes.
//
// A thread owns C[row][column]; a warp neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 32, stores to C 4.

__global__ void matmul_nt_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[column * K + k], sum);
    C[row * N + column] = sum;
}
