// An assert says what the launch does not keep.
//
// rung: matvec/1_naive
// set: M=100
// set: K=32
// expect: trap

__global__ void matvec_naive(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    assert(row < M); // <- fault: trap
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], x[k], sum);
    y[row] = sum;
}
