// Gradients of normalisation by the root mean square, rung 1: a thread for each row, and one for each column.
//
// Forward: y[r][c] = normal[r][c] · gamma[c], normal[r][c] = x[r][c] · rrms[r]. With g = dy · gamma, for a row:
//     dx[c] = rrms · (g[c] - normal[c] · mean of (g · normal))
// What is subtracted is what rrms[r] depends on x. And over all rows: dgamma[c] = Σ_r dy[r][c] · normal[r][c]. dx needs a sum along rows,
// dgamma one down columns: here each has a launch of its own, and all is read twice.
//
// In the first launch a thread owns a row, in the second a column. All sums are chains in the order of the row or the column. Rows read
// by neighbouring lanes lie a row apart, 32 sectors of 32 bytes for 128 bytes; columns side by side, 4.
//
// Launch: both: 1-D, any block; the grid covers the rows, then the columns.
// Bytes: 36 · rows · columns read (dy and x three times; gamma twice; rrms), 4 · rows · columns + 4 · columns written.
// FLOPs: 12 · rows · columns.
// Expected of a full warp: loads of dy and x 32 sectors per request in the first launch, where there are twice as many, and 4 in the
// second: 22 2/3 on average; loads of gamma 1; loads of rrms 4 in the first launch (one each) and 1 in the second (one for each row);
// stores to dx 32; stores to dgamma 4.

__global__ void rmsnorm_backward_naive_dx(const float* dy, const float* x, const float* rrms, const float* gamma, float* dx, int rows,
                                          int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float s = rrms[row];

    // The sum along the row.
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum = fmaf(dy[row * columns + c] * gamma[c], x[row * columns + c] * s, sum);
    const float mean_g_normal = sum / columns;

    // The result.
    for (int c = 0; c < columns; ++c) {
        const float g = dy[row * columns + c] * gamma[c];
        const float normal = x[row * columns + c] * s;
        dx[row * columns + c] = s * fmaf(-normal, mean_g_normal, g);
    }
}

__global__ void rmsnorm_backward_naive_dgamma(const float* dy, const float* x, const float* rrms, float* dgamma, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) sum = fmaf(dy[r * columns + column], x[r * columns + column] * rrms[r], sum);
    dgamma[column] = sum;
}
