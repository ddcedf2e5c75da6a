// A sum in halves has eleven bits: every addition rounds away what the products had.
//
// rung: matmul_half/1_naive
// set: M=17
// set: N=32
// set: K=100
// expect: wrong result in C

#include <cuda_fp16.h>

__global__ void matmul_half_naive(const __half* A, const __half* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    __half sum = __float2half(0);
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column]; // <- fault: wrong result
    C[row * N + column] = __half2float(sum);
}
