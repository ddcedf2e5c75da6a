// After shuffles downwards only lane 0 holds the sum of all.
//
// rung: softmax/3_warp
// set: rows=7
// set: columns=100
// expect: wrong result in y

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance); // <- fault: wrong result
    return value;
}

__global__ void softmax_warp(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Each lane's part; -INFINITY and 0 where it has no element.
    float max = -INFINITY, sum = 0;
    for (int c = lane; c < columns; c += 32) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // The row's: all sums for one maximum.
    const float row_max = warp_max(max);
    const float row_sum = warp_sum(sum * expf(max - row_max));

    // The result.
    for (int c = lane; c < columns; c += 32) to[c] = expf(from[c] - row_max) / row_sum;
}
