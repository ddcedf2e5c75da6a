// Softmax of rows, rung 3: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read and write neighbours: 4 sectors for 128 bytes. Each lane goes over
// elements l, l + 32, l + 64, … in one pass. Then shuffles find the maximum of all lanes; each lane brings its sum to that maximum, as
// in rung 2; and shuffles add up the sums. Both in five steps, at distances 16, 8, 4, 2, 1, after which every lane holds the same bits.
//
// A lane owns every 32nd element of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 8 · rows · columns read, 4 · rows · columns written. FLOPs: 10 · rows · columns, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors per request.
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
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
