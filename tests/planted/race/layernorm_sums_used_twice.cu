// The squares go where the sums lay, which a slow warp may still be reading.
//
// rung: layernorm/3_block
// set: rows=4
// set: columns=300
// expect: race in sums
// schedules: differ

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void layernorm_block(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int columns,
                                float epsilon) {
    __shared__ float sums[32];             // one for each warp
    const int row = blockIdx.x;             // < rows
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean.
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) sum += from[c];
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum;
    __syncthreads(); // other warps wrote the sums that this one reads
    const float m = warp_sum(lane < warps ? sums[lane] : 0) / columns; // <- fault: race

    // Pass 2: the variance, from the distances to the mean.
    sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        const float distance = from[c] - m;
        sum = fmaf(distance, distance, sum);
    }
    sum = warp_sum(sum);
    if (lane == 0) sums[warp] = sum; // <- fault: race
    __syncthreads(); // other warps wrote the squares that this one reads
    const float s = 1 / sqrtf(warp_sum(lane < warps ? sums[lane] : 0) / columns + epsilon);

    // Pass 3: the result.
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    if (threadIdx.x == 0) mean[row] = m, rstd[row] = s;
}
