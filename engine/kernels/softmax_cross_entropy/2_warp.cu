// Softmax and cross-entropy, rung 2: a warp for each row, then a warp for the mean.
//
// What changed: the lanes of a warp share a row, so that they read and write neighbours: 4 sectors for 128 bytes. Maximum and sum are found in
// one pass and put together by shuffles. So is the mean, by one warp.
//
// A lane owns every 32nd class of a row; a warp owns the row. Sums in the order of a lane's elements, then by shuffles at distances 16, 8, 4, 2, 1.
// Launch: first: blockDim = (32, rows of the block), any number of rows; the grid covers B. Second: one block of 32. Every label lies in [0, C).
// Bytes: 8 · B · C read, 4 · B · C written, some 16 · B for labels and losses. FLOPs: 10 · B · C, an exponential counted as one.
// Expected of a full warp: stores to p and loads of losses 4 sectors per request; loads of label, stores to losses and the store to L 1, as one
// lane's. Loads of z in the loops of a lane's classes 4, three for each class and one more for the label, by one lane: with C = 512 that is
// 48 requests of 4 and one of 1, 193 / 49 on average.
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.

#include <cfloat>

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void softmax_cross_entropy_warp(const float* z, const int* label, float* p, float* losses, int B, int C) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= B) return; // a whole warp together
    const float* from = z + row * C;

    // Each lane's part. A lane may have no element: its maximum must be a number, as -INFINITY - (-INFINITY) is none.
    float max = -FLT_MAX, sum = 0;
    for (int c = lane; c < C; c += 32) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // The row's: all sums for one maximum.
    const float row_max = warp_max(max);
    const float row_sum = warp_sum(sum * expf(max - row_max));

    // Probabilities and loss.
    for (int c = lane; c < C; c += 32) p[row * C + c] = expf(from[c] - row_max) / row_sum;
    if (lane == 0) losses[row] = logf(row_sum) + (row_max - from[label[row]]);
}

__global__ void softmax_cross_entropy_warp_mean(const float* losses, float* L, int B) {
    float sum = 0;
    for (int r = threadIdx.x; r < B; r += 32) sum += losses[r];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) *L = sum / B;
}
