// Layer normalisation, rung 3: a block for each row, still two passes for the variance.
//
// What changed: all warps of a block share a row, for few, long rows. Each warp puts its sum into shared memory; then every warp reads
// those of all warps and adds them up by the same five steps, so that all threads of the block hold the same bits.
//
// Why not in one pass, as Σ x² / columns - mean²? Where the mean is large beside the spread, that is a small difference of large numbers:
// of x = 1000 ± 0.1 it keeps no digit in fp32, and may come out negative. Distances to a mean that is known already are small numbers,
// and lose nothing. Rung 4 has one pass that is right.
//
// A thread owns every blockDim.x-th element of a row; a block owns the row.
// Launch: 1-D, blockDim.x a multiple of 32; one block for each row.
// Bytes: 20 · rows · columns read (x three times, gamma, beta), 4 · rows · columns + 8 · rows written. FLOPs: 8 · rows · columns.
// Shared: 256 bytes.
// Expected of a full warp: loads of x, gamma and beta and stores to y 4 sectors per request; stores to mean and rstd 1, by one thread;
// `sums` and `squares` 1 wavefront, loads and stores alike.
// Source: Chan, Golub and LeVeque, "Algorithms for computing the sample variance: analysis and recommendations", 1983.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void layernorm_block(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int columns,
                                float epsilon) {
    __shared__ float sums[32], squares[32]; // one for each warp; of their own, so that no warp overwrites what another still reads
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
    const float m = warp_sum(lane < warps ? sums[lane] : 0) / columns;

    // Pass 2: the variance, from the distances to the mean.
    sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        const float distance = from[c] - m;
        sum = fmaf(distance, distance, sum);
    }
    sum = warp_sum(sum);
    if (lane == 0) squares[warp] = sum;
    __syncthreads(); // other warps wrote the squares that this one reads
    const float s = 1 / sqrtf(warp_sum(lane < warps ? squares[lane] : 0) / columns + epsilon);

    // Pass 3: the result.
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    if (threadIdx.x == 0) mean[row] = m, rstd[row] = s;
}
