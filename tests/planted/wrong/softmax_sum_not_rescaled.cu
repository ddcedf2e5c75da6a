// The sum so far was for the old maximum.
//
// rung: softmax/2_online
// set: rows=7
// set: columns=100
// expect: wrong result in y

__global__ void softmax_online(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the maximum, and the sum for it. Before the first element exp(-INFINITY) = 0.
    float max = -INFINITY, sum = 0;
    for (int c = 0; c < columns; ++c) {
        const float larger = fmaxf(max, from[c]);
        sum += expf(from[c] - larger); // <- fault: wrong result
        max = larger;
    }

    // Pass 2: the result.
    for (int c = 0; c < columns; ++c) to[c] = expf(from[c] - max) / sum;
}
