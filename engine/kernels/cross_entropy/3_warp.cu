// Cross-entropy of rows, rung 3: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read neighbours: 4 sectors for 128 bytes. Each lane has the maximum and the sum of
// its own classes; shuffles find the maximum of all, each lane brings its sum to that, and shuffles add up.
//
// A lane owns every 32nd class of a row; a warp owns the row. Sums in the order of a lane's classes, then by shuffles at distances 16, 8, 4, 2, 1.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers B. Every label lies in [0, C) or is ignore_index.
// Bytes: 4 · B · C read, some 12 · B for labels and losses. FLOPs: 7 · B · C, an exponential counted as one.
// Expected of a full warp: loads of label and stores to loss 1 sector per request, as one lane's. Loads of z in the loop of a lane's classes 4,
// two for each class and one more for the label, by one lane: with C = 512 that is 32 requests of 4 and one of 1, 129 / 33 on average.
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

__global__ void cross_entropy_warp(const float* z, const int* label, float* loss, int B, int C, int ignore_index) {
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

    // The loss.
    if (lane > 0) return;
    const int y = label[row];
    loss[row] = y == ignore_index ? 0 : logf(row_sum) + (row_max - from[y]);
}
