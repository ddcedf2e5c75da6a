// Softmax of rows, rung 4: a block for each row.
//
// What changed: all warps of a block share a row, for few, long rows (a vocabulary of 50 000), with which a warp each would leave most of
// the GPU idle. Each warp finds its maximum and sum as before and puts them into shared memory; then every warp reads those of all warps
// and puts them together by the same five steps, so that all threads of the block hold the same bits.
//
// A thread owns every blockDim.x-th element of a row; a block owns the row.
// Launch: 1-D, blockDim.x a multiple of 32; one block for each row.
// Bytes: 8 · rows · columns read, 4 · rows · columns written. FLOPs: 10 · rows · columns, an exponential counted as one. Shared: 256 bytes.
// Expected of a full warp: loads of x and stores to y 4 sectors per request; `maxima` and `sums` 1 wavefront, loads and stores alike.
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

__global__ void softmax_block(const float* x, float* y, int rows, int columns) {
    __shared__ float maxima[32], sums[32]; // one for each warp
    const int row = blockIdx.x;            // < rows
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Each thread's part. Where the row is short, a whole warp may have no element; its maximum must still be a number, since
    // -INFINITY - (-INFINITY) is none.
    float max = -FLT_MAX, sum = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // Each warp's.
    const float of_warp = warp_max(max);
    sum = warp_sum(sum * expf(max - of_warp));
    if (lane == 0) maxima[warp] = of_warp, sums[warp] = sum;
    __syncthreads(); // other warps wrote what this one reads

    // The row's, by every warp for itself.
    max = lane < warps ? maxima[lane] : -FLT_MAX;
    sum = lane < warps ? sums[lane] : 0;
    const float row_max = warp_max(max);
    const float row_sum = warp_sum(sum * expf(max - row_max));

    // The result.
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = expf(from[c] - row_max) / row_sum;
}
