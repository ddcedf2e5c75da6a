// Normalisation by the root mean square, rung 1: a thread for each row, two passes.
//
// Layer normalisation without the mean: each row is scaled to a mean square of 1, then by what was learnt for each column:
//     rrms = 1 / sqrt(Σ_c x[c]² / columns + epsilon),  y[c] = x[c] · rrms · gamma[c]
// One sum less, and no shift; today's language models use it. rrms is kept: the backward pass needs it.
//
// A thread owns a row; the sum is one chain of fmaf in the order of the columns. The lanes of a warp are a whole row apart: 32 sectors of
// 32 bytes for 128 bytes. In gamma they all read the same element.
//
// Launch: 1-D, any block; the grid covers the rows.
// Bytes: 12 · rows · columns read (x twice, gamma), 4 · rows · columns + 4 · rows written. FLOPs: 4 · rows · columns.
// Expected of a full warp: loads of x and stores to y 32 sectors per request; loads of gamma 1; stores to rrms 4.
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

__global__ void rmsnorm_naive(const float* x, const float* gamma, float* y, float* rrms, int rows, int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean square. Nothing cancels in it, so one pass will do.
    float squares = 0;
    for (int c = 0; c < columns; ++c) squares = fmaf(from[c], from[c], squares);
    const float s = 1 / sqrtf(squares / columns + epsilon);

    // Pass 2: the result.
    for (int c = 0; c < columns; ++c) to[c] = from[c] * s * gamma[c];
    rrms[row] = s;
}
