// Lanes leave the loop one turn before the others, which then vote alone.
//
// rung: matvec/2_warp
// set: M=8
// set: K=100
// expect: never-meets

__global__ void matvec_warp(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= M) return; // a whole warp together

    // Each lane's part.
    float sum = 0;
    for (int k = lane; k < K; k += 32)
        if (__any_sync(0xffffffff, x[k] != 0)) sum = fmaf(A[row * K + k], x[k], sum); // <- fault: never-meets

    // All parts: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
