// The first warp adds up the other warps' sums before they are there.
//
// rung: sum_rows/2_block
// set: rows=64
// set: columns=64
// expect: race in sums
// expect: uninitialised in sums
// schedules: differ

__global__ void sum_rows_block(const float* x, float* y, int rows, int columns) {
    __shared__ float sums[32][32]; // [warp][column]
    const int lane = threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const int column = blockIdx.x * 32 + lane;

    // Each warp's rows.
    float sum = 0;
    if (column < columns)
        for (int r = warp; r < rows; r += warps) sum += x[r * columns + column];
    sums[warp][lane] = sum; // <- fault: race

    // All warps' sums.
    if (warp > 0 || column >= columns) return;
    for (int other = 1; other < warps; ++other) sum += sums[other][lane]; // <- fault: race, uninitialised
    y[column] = sum;
}
