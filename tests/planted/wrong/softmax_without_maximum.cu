// exp of 100 is no fp32 number any more: infinity over infinity.
//
// rung: softmax/1_naive
// set: rows=7
// set: columns=100
// scale: x=100
// expect: wrong result in y

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
    for (int c = 0; c < columns; ++c) sum += expf(from[c]); // <- fault: wrong result

    // Pass 3: the result.
    for (int c = 0; c < columns; ++c) to[c] = expf(from[c]) / sum;
}
