// Normalisation by the root mean square, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read and write neighbours: 4 sectors for 128 bytes. Lane l adds up the squares
// of elements l, l + 32, l + 64, … in that order; then the 32 sums are added in five steps by shuffles, at distances 16, 8, 4, 2, 1,
// after which every lane holds the same bits.
//
// A lane owns every 32nd element of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 12 · rows · columns read (x twice, gamma), 4 · rows · columns + 4 · rows written. FLOPs: 4 · rows · columns.
// Expected of a full warp: loads of x and gamma and stores to y 4 sectors per request; stores to rrms 1, by one lane.
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void rmsnorm_warp(const float* x, const float* gamma, float* y, float* rrms, int rows, int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean square.
    float squares = 0;
    for (int c = lane; c < columns; c += 32) squares = fmaf(from[c], from[c], squares);
    const float s = 1 / sqrtf(warp_sum(squares) / columns + epsilon);

    // Pass 2: the result.
    for (int c = lane; c < columns; c += 32) to[c] = from[c] * s * gamma[c];
    if (lane == 0) rrms[row] = s;
}
