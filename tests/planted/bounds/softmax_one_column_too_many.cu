// `c <= columns` takes the next row's first element along; the last row has no next one.
//
// rung: softmax/1_naive
// set: rows=33
// set: columns=31
// expect: out-of-bounds in x

__global__ void softmax_naive(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the maximum.
    float max = -INFINITY;
    for (int c = 0; c <= columns; ++c) max = fmaxf(max, from[c]); // <- fault: out-of-bounds

    // Pass 2: the sum.
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += expf(from[c] - max);

    // Pass 3: the result.
    for (int c = 0; c < columns; ++c) to[c] = expf(from[c] - max) / sum;
}
