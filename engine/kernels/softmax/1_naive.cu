// Softmax of rows, rung 1: a thread for each row, three passes.
//
// y[r][c] = exp(x[r][c] - max_k x[r][k]) / Σ_k exp(x[r][k] - max_k x[r][k]). The maximum changes nothing in the quotient, but without it
// exp overflows in fp32 from 88.8 on; with it the largest exponential is 1, and the sum lies between 1 and `columns`.
//
// A thread owns a row; it reads it for the maximum, for the sum and for the result. The sum is one chain of additions in the order of
// the columns. The lanes of a warp are a whole row apart: 32 sectors of 32 bytes for 128 bytes.
//
// Launch: 1-D, any block; the grid covers the rows.
// Bytes: 12 · rows · columns read, 4 · rows · columns written. FLOPs: 7 · rows · columns, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 32 sectors per request.

__global__ void softmax_naive(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the maximum.
    float max = -INFINITY;
    for (int c = 0; c < columns; ++c) max = fmaxf(max, from[c]);

    // Pass 2: the sum.
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += expf(from[c] - max);

    // Pass 3: the result.
    for (int c = 0; c < columns; ++c) to[c] = expf(from[c] - max) / sum;
}
