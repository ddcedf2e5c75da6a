// Matrix product of halves, rung 1: one thread computes one element.
//
// C (M, N) = A (M, K) · B (K, N), all row-major; A and B are fp16, C is fp32. A thread owns C[row][column]. A product of two halves has
// 22 bits and is exact in fp32; the sum is one chain of fmaf in fp32, in the order of k. The halves save bytes, not FLOPs.
//
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 4 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 2 (32 halves are 64 bytes), stores to C 4.

#include <cuda_fp16.h>

__global__ void matmul_half_naive(const __half* A, const __half* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(__half2float(A[row * K + k]), __half2float(B[k * N + column]), sum);
    C[row * N + column] = sum;
}
