// Maxima and sums share an array, without a barrier between the last read of the one and the first write of the other.
//
// rung: softmax/4_block
// set: rows=8
// set: columns=512
// expect: race in parts
// schedules: differ

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
    __shared__ float parts[32];                 // one for each warp
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
    if (lane == 0) parts[warp] = of_warp;
    __syncthreads(); // other warps wrote what this one reads

    // The row's, by every warp for itself.
    max = lane < warps ? parts[lane] : -FLT_MAX; // <- fault: race
    const float row_max = warp_max(max);
    if (lane == 0) parts[warp] = sum; // <- fault: race
    __syncthreads(); // other warps wrote what this one reads
    sum = lane < warps ? parts[lane] : 0;
    const float row_sum = warp_sum(sum * expf(max - row_max));

    // The result.
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = expf(from[c] - row_max) / row_sum;
}
