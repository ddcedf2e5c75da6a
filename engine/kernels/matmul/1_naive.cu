// Matrix product, rung 1: one thread computes one element.
//
// C (M, N) = A (M, K) · B (K, N), all row-major. A thread owns C[row][column]: it walks along a row of A and down a column of B. The
// sum is one chain of fmaf in the order of k. So it is in every rung of this ladder: all of them give the same bits.
//
// Here threadIdx.x counts rows. The lanes of a warp read A, and write C, a whole row apart: 32 sectors of 32 bytes for 128 bytes. In B
// they all read the same element.
//
// Launch: any block; the grid covers rows in x and columns in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one column: loads of A 32 sectors per request, loads of B 1, stores to C 32.
// Source: the climb of this ladder follows Simon Boehm, "How to Optimize a CUDA Matmul Kernel for cuBLAS-like Performance", 2022.

__global__ void matmul_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
