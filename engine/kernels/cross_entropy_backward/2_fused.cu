// Gradient of the cross-entropy, rung 2: a warp for each row, in one launch.
//
// What changed: p is never in memory. The lanes of a warp share a row, find its maximum and sum, and make the gradient from z at once: of 24 bytes
// for an element 12 are left, all of them side by side.
//
// A lane owns every 32nd class of a row; a warp owns the row. Sums in the order of a lane's classes, then by shuffles at distances 16, 8, 4, 2, 1.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers B. Every label lies in [0, C) or is ignore_index.
// Bytes: 8 · B · C read (twice z), 4 · B · C written, and 4 · B for the labels. FLOPs: 12 · B · C, an exponential counted as one.
// Expected of a full warp: loads of z and stores to dz 4 sectors per request; loads of label 1.
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

__global__ void cross_entropy_backward_fused(const float* z, const int* label, float* dz, float scale, int B, int C, int ignore_index) {
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

    // The gradient.
    const int y = label[row];
    for (int c = lane; c < C; c += 32) {
        const float wanted = c == y ? 1 : 0;
        dz[row * C + c] = y == ignore_index ? 0 : scale * (expf(from[c] - row_max) / row_sum - wanted);
    }
}
