// Matrix times vector, rung 1: one thread computes one element.
//
// y (M) = A (M, K) · x (K), A row-major. A thread owns y[row] and walks along its row; the sum is one chain of fmaf in the order of k.
// The lanes of a warp read A a whole row apart: 32 sectors of 32 bytes for 128 bytes. In x they all read the same element.
//
// Launch: 1-D, any block; the grid covers the rows.
// FLOPs: 2 · M · K. Bytes asked of global memory: 8 · M · K read, 4 · M written. Each element of A is used once: whatever the kernel, the
// time is that of reading A.
// Expected of a full warp: loads of A 32 sectors per request, loads of x 1, stores to y 4.

__global__ void matvec_naive(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], x[k], sum);
    y[row] = sum;
}
