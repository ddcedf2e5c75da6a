// Batch normalisation, rung 3: one launch.
//
// What changed: a channel needs no other channel. So the block that has found its mean and variance can normalise it at once: no second launch,
// no statistics out to memory and back. The third reading of x comes a moment after the second, from the L2 cache if the channel fits there.
// The price: there are only as many blocks as channels, also for the part that would have had work for all of the GPU.
//
// A thread owns every blockDim.x-th element of a channel; a block the channel. Sums as in rung 2.
// Launch: 1-D, blockDim.x a multiple of 32; one block for each channel.
// Bytes: 12 · N · C · S read, 4 · N · C · S written. FLOPs: 8 · N · C · S. Shared: 256 bytes.
// Expected of full warps: loads of x and stores to y 4 sectors per request; loads of gamma and beta and stores to mean and rstd 1; `sums` and
// `squares` 1 wavefront, loads and stores alike.
// Source: Ioffe and Szegedy 2015, as in rung 1.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void batch_norm_fused(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int N, int C, int S,
                                 float epsilon) {
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

    // Pass 3: the result.
    const float scale = gamma[c], shift = beta[c];
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const int place = (i / S * C + c) * S + i % S;
        y[place] = fmaf((x[place] - m) * r, scale, shift);
    }
}
