// Sum of the rows, rung 2: a block for 32 columns.
//
// What changed: with a thread for each column, 256 columns occupy eight warps of a GPU that has room for thousands, and each has all rows to go.
// Here the warps of a block share the rows of the same 32 columns; then one warp adds up what they found.
//
// A thread owns every blockDim.y-th element of a column; a warp the sums of 32 columns over its rows; a block 32 columns. Sums in the order of
// a warp's rows, then of the warps.
// Launch: blockDim = (32, warps), any number of warps; the grid covers the columns, 32 at a time.
// Bytes: 4 · rows · columns read, 4 · columns written. FLOPs: rows · columns, and a few for each warp. Shared: 4 KiB.
// Expected of a full warp: loads of x and stores to y 4 sectors per request; `sums` 1 wavefront, loads and stores alike.

__global__ void sum_rows_block(const float* x, float* y, int rows, int columns) {
    __shared__ float sums[32][32]; // [warp][column]
    const int lane = threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    const int column = blockIdx.x * 32 + lane;

    // Each warp's rows.
    float sum = 0;
    if (column < columns)
        for (int r = warp; r < rows; r += warps) sum += x[r * columns + column];
    sums[warp][lane] = sum;
    __syncthreads(); // other warps wrote the sums that the first one reads

    // All warps' sums.
    if (warp > 0 || column >= columns) return;
    for (int other = 1; other < warps; ++other) sum += sums[other][lane];
    y[column] = sum;
}
