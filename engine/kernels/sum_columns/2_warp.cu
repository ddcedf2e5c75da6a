// Sum of the columns, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read 32 neighbours: 4 sectors for 128 bytes. Then shuffles add up the lanes' sums
// in five steps.
//
// A lane owns every 32nd element of a row; a warp owns y[row]. Sums in the order of a lane's elements, then by shuffles at distances 16, 8, 4,
// 2, 1.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 4 · rows · columns read, 4 · rows written. FLOPs: rows · columns, and 160 for each row.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1, by one lane.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void sum_columns_warp(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together

    // Each lane's part.
    float sum = 0;
    for (int c = lane; c < columns; c += 32) sum += x[row * columns + c];

    // The row's.
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}
