// Epsilon belongs under the root.
//
// rung: layernorm/1_naive
// set: rows=7
// set: columns=100
// expect: wrong result in y, rstd

__global__ void layernorm_naive(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int rows,
                                int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean.
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += from[c];
    const float m = sum / columns;

    // Pass 2: the variance, from the distances to the mean.
    float squares = 0;
    for (int c = 0; c < columns; ++c) {
        const float distance = from[c] - m;
        squares = fmaf(distance, distance, squares);
    }
    const float s = 1 / (sqrtf(squares / columns) + epsilon); // <- fault: wrong result

    // Pass 3: the result.
    for (int c = 0; c < columns; ++c) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    mean[row] = m;
    rstd[row] = s;
}
