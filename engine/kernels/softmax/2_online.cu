// Softmax of rows, rung 2: maximum and sum in one pass.
//
// What changed: the sum is kept for the largest element so far. When a larger one comes, what was added up is multiplied by
// exp(old maximum - new maximum), which is what all its exponentials were too large by. A row is read twice instead of three times, for
// one more exponential per element.
//
// A thread owns a row; the sum is one chain of fmaf in the order of the columns.
// Launch: 1-D, any block; the grid covers the rows.
// Bytes: 8 · rows · columns read, 4 · rows · columns written. FLOPs: 10 · rows · columns, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 32 sectors per request.
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.

__global__ void softmax_online(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the maximum, and the sum for it. Before the first element exp(-INFINITY) = 0.
    float max = -INFINITY, sum = 0;
    for (int c = 0; c < columns; ++c) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // Pass 2: the result.
    for (int c = 0; c < columns; ++c) to[c] = expf(from[c] - max) / sum;
}
