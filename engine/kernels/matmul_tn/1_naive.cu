// Product with a transposed left operand, rung 1: one thread computes one element.
//
// C (M, N) = Aᵀ · B, where A (K, M) is stored as it is: no one turns it round. C[row][column] is column `row` of A times column `column` of B. So
// comes the gradient dW = xᵀ · dy of y = x · W, where K counts the examples. The sum is one chain of fmaf in the order of k, in every rung.
//
// The lanes of a warp have neighbouring columns: they read neighbours of a row of B, and in A all the same element. Of the three products of
// a layer this is the one in which nothing has to be turned.
//
// A thread owns C[row][column]; a warp neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector of 32 bytes per request, loads of B 4, stores to C 4.

__global__ void matmul_tn_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[k * M + row], B[k * N + column], sum);
    C[row * N + column] = sum;
}
