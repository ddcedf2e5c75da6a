// Rows of A are K long, not M.
//
// rung: matvec/1_naive
// set: M=64
// set: K=32
// expect: out-of-bounds in A

__global__ void matvec_naive(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * M + k], x[k], sum); // <- fault: out-of-bounds
    y[row] = sum;
}
