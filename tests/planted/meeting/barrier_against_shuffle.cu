// One lane of each warp goes to the barrier while the others still shuffle with it.
//
// rung: matvec/3_block
// set: M=4
// set: K=256
// expect: never-meets

__global__ void matvec_block(const float* A, const float* x, float* y, int K) {
    __shared__ float parts[32]; // one for each warp
    const int row = blockIdx.x; // one block for each
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    // Each thread's part.
    float sum = 0;
    for (int k = threadIdx.x; k < K; k += blockDim.x) sum = fmaf(A[row * K + k], x[k], sum);

    // Each warp's.
    if (lane < 31)
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance); // <- fault: never-meets
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // The block's.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
