// B is read as if its columns lay one after another.
//
// rung: matmul/2_coalesced
// set: M=32
// set: N=64
// set: K=32
// expect: wrong result in C

__global__ void matmul_coalesced(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[column * K + k], sum); // <- fault: wrong result
    C[row * N + column] = sum;
}
