// The rows of A are read as fours without asking for their length.
//
// rung: matvec/4_vectorised
// set: M=8
// set: K=515
// expect: misaligned in A

__global__ void __launch_bounds__(1024) matvec_vectorised(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= M) return; // a whole warp together

    // Each lane's part.
    float sum = 0;
    if (K >= 4) {
        for (int k = 4 * lane; k + 3 < K; k += 128) {
            const float4 a = *reinterpret_cast<const float4*>(A + row * K + k); // <- fault: misaligned
            const float4 b = *reinterpret_cast<const float4*>(x + k);
            sum = fmaf(a.x, b.x, sum);
            sum = fmaf(a.y, b.y, sum);
            sum = fmaf(a.z, b.z, sum);
            sum = fmaf(a.w, b.w, sum);
        }
    } else {
        for (int k = lane; k < K; k += 32) sum = fmaf(A[row * K + k], x[k], sum);
    }

    // All parts: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
