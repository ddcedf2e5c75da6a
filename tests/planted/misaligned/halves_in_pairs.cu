// Pairs of halves lie at multiples of 4 bytes; a row of 33 halves does not begin at one.
//
// rung: matmul_half/1_naive
// set: M=17
// set: N=32
// set: K=33
// expect: misaligned in A

#include <cuda_fp16.h>

__global__ void matmul_half_naive(const __half* A, const __half* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k + 1 < K; k += 2) {
        const float2 a = __half22float2(*reinterpret_cast<const __half2*>(&A[row * K + k])); // <- fault: misaligned
        sum = fmaf(a.x, __half2float(B[k * N + column]), sum);
        sum = fmaf(a.y, __half2float(B[(k + 1) * N + column]), sum);
    }
    C[row * N + column] = sum;
}
