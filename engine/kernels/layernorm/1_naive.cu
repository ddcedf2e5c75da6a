// Layer normalisation, rung 1: a thread for each row, three passes.
//
// Each row is shifted and scaled to mean 0 and variance 1, then scaled and shifted by what was learnt for each column:
//     mean = Σ_c x[c] / columns,  variance = Σ_c (x[c] - mean)² / columns,  rstd = 1 / sqrt(variance + epsilon)
//     y[c] = (x[c] - mean) · rstd · gamma[c] + beta[c]
// mean and rstd are kept: the backward pass needs them.
//
// A thread owns a row; both sums are chains in the order of the columns. The lanes of a warp are a whole row apart: 32 sectors of 32
// bytes for 128 bytes. In gamma and beta they all read the same element.
//
// Launch: 1-D, any block; the grid covers the rows.
// Bytes: 20 · rows · columns read (x three times, gamma, beta), 4 · rows · columns + 8 · rows written. FLOPs: 8 · rows · columns.
// Expected of a full warp: loads of x and stores to y 32 sectors per request; loads of gamma and beta 1; stores to mean and rstd 4.
// Source: Ba, Kiros and Hinton, "Layer Normalization", 2016.

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
    const float s = 1 / sqrtf(squares / columns + epsilon);

    // Pass 3: the result.
    for (int c = 0; c < columns; ++c) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    mean[row] = m;
    rstd[row] = s;
}
