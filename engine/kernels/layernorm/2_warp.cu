// Layer normalisation, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read and write neighbours: 4 sectors for 128 bytes. Lane l adds up elements
// l, l + 32, l + 64, … in that order; then the 32 sums are added in five steps by shuffles, at distances 16, 8, 4, 2, 1, after which
// every lane holds the same bits.
//
// A lane owns every 32nd element of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 20 · rows · columns read (x three times, gamma, beta), 4 · rows · columns + 8 · rows written. FLOPs: 8 · rows · columns.
// Expected of a full warp: loads of x, gamma and beta and stores to y 4 sectors per request; stores to mean and rstd 1, by one lane.
// Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void layernorm_warp(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int rows,
                               int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean.
    float sum = 0;
    for (int c = lane; c < columns; c += 32) sum += from[c];
    const float m = warp_sum(sum) / columns;

    // Pass 2: the variance, from the distances to the mean.
    float squares = 0;
    for (int c = lane; c < columns; c += 32) {
        const float distance = from[c] - m;
        squares = fmaf(distance, distance, squares);
    }
    const float s = 1 / sqrtf(warp_sum(squares) / columns + epsilon);

    // Pass 3: the result.
    for (int c = lane; c < columns; c += 32) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    if (lane == 0) mean[row] = m, rstd[row] = s;
}
