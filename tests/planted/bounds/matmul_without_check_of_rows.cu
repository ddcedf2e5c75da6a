// The grid covers C and more: threads below the last row read beyond A.
//
// rung: matmul/2_coalesced
// set: M=31
// set: N=32
// set: K=8
// expect: out-of-bounds in A

__global__ void matmul_coalesced(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum); // <- fault: out-of-bounds
    C[row * N + column] = sum;
}
