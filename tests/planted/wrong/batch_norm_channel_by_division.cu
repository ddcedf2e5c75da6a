// Planes follow each other by image, then by channel: the channel is the remainder.
//
// rung: batch_norm/2_block
// set: N=3
// set: C=5
// set: S=7
// expect: wrong result in y

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void batch_norm_block_statistics(const float* x, float* mean, float* rstd, int N, int C, int S, float epsilon) {
    __shared__ float sums[32], squares[32]; // one for each warp; of their own, so that no warp overwrites what another still reads
    const int c = blockIdx.x;               // < C
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const int count = N * S; // elements of the channel; the i-th is place i % S of image i / S

    // Pass 1: the mean.
    float sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) sum += x[(i / S * C + c) * S + i % S];
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads(); // other warps wrote the sums that this one reads
    const float m = warp_sum(lane < warps ? sums[lane] : 0) / count;

    // Pass 2: the variance, from the distances to the mean.
    sum = 0;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const float distance = x[(i / S * C + c) * S + i % S] - m;
        sum = fmaf(distance, distance, sum);
    }
    sum = warp_sum(sum);
    if (lane == 0) squares[warp] = sum;
    __syncthreads(); // other warps wrote the squares that this one reads
    const float r = 1 / sqrtf(warp_sum(lane < warps ? squares[lane] : 0) / count + epsilon);
    if (threadIdx.x == 0) mean[c] = m, rstd[c] = r;
}

__global__ void batch_norm_block_normalise(const float* x, const float* mean, const float* rstd, const float* gamma, const float* beta, float* y,
                                           int N, int C, int S) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int plane = blockIdx.y * blockDim.y + threadIdx.y; // n · C + c
    if (plane >= N * C || s >= S) return;
    const int c = plane / N; // <- fault: wrong result
    y[plane * S + s] = fmaf((x[plane * S + s] - mean[c]) * rstd[c], gamma[c], beta[c]);
}
