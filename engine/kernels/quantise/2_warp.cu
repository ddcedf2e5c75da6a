// Quantise to int8, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read and write neighbours. Each finds the largest of every 32nd element; then
// they exchange maxima in five steps by shuffles, at distances 16, 8, 4, 2, 1, after which every lane holds the row's. (A maximum is exact:
// the order does not matter.)
//
// A lane owns every 32nd element of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// FLOPs: 2 · rows · columns. Bytes: 8 · rows · columns read, rows · columns and 4 for each row written.
// Expected of a full warp: loads of x 4 sectors per request, stores to q 1 (32 bytes), stores to scales 1, by one lane.

__global__ void quantise_warp(const float* x, signed char* q, float* scales, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together

    // The largest element: each lane's, then the row's.
    float largest = 0;
    for (int c = lane; c < columns; c += 32) largest = fmaxf(largest, fabsf(x[row * columns + c]));
    for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
    const float scale = largest > 0 ? largest / 127 : 1;
    if (lane == 0) scales[row] = scale;

    // All elements in steps of the scale.
    for (int c = lane; c < columns; c += 32) q[row * columns + c] = static_cast<signed char>(rintf(x[row * columns + c] / scale));
}
