// Gradients of layer normalisation, rung 1: a thread for each row, and one for each column.
//
// Forward: y[r][c] = normal[r][c] · gamma[c] + beta[c], normal[r][c] = (x[r][c] - mean[r]) · rstd[r]. With g = dy · gamma, for a row:
//     dx[c] = rstd · (g[c] - mean of g - normal[c] · mean of (g · normal))
// The first subtraction is what mean[r] depends on x, the second what rstd[r] does. And over all rows:
//     dgamma[c] = Σ_r dy[r][c] · normal[r][c],  dbeta[c] = Σ_r dy[r][c]
// dx needs sums along rows, dgamma and dbeta sums down columns: here each has a launch of its own, and all is read twice.
//
// In the first launch a thread owns a row, in the second a column. All sums are chains in the order of the row or the column. Rows read
// by neighbouring lanes lie a row apart, 32 sectors of 32 bytes for 128 bytes; columns side by side, 4.
//
// Launch: both: 1-D, any block; the grid covers the rows, then the columns.
// Bytes: 40 · rows · columns read (dy and x three times; gamma twice; mean and rstd), 4 · rows · columns + 8 · columns written.
// FLOPs: 18 · rows · columns.
// Expected of a full warp: loads of dy and x 32 sectors per request in the first launch, where there are twice as many, and 4 in the
// second: 22 2/3 on average; loads of gamma 1; loads of mean and rstd 4 in the first launch (one each) and 1 in the second (one for each
// row); stores to dx 32; stores to dgamma and dbeta 4.

__global__ void layernorm_backward_naive_dx(const float* dy, const float* x, const float* mean, const float* rstd, const float* gamma,
                                            float* dx, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float m = mean[row], s = rstd[row];

    // The two sums along the row.
    float sum = 0, sum_normal = 0;
    for (int c = 0; c < columns; ++c) {
        const float g = dy[row * columns + c] * gamma[c];
        sum += g;
        sum_normal = fmaf(g, (x[row * columns + c] - m) * s, sum_normal);
    }
    const float mean_g = sum / columns, mean_g_normal = sum_normal / columns;

    // The result.
    for (int c = 0; c < columns; ++c) {
        const float g = dy[row * columns + c] * gamma[c];
        const float normal = (x[row * columns + c] - m) * s;
        dx[row * columns + c] = s * fmaf(-normal, mean_g_normal, g - mean_g);
    }
}

__global__ void layernorm_backward_naive_parameters(const float* dy, const float* x, const float* mean, const float* rstd, float* dgamma,
                                                    float* dbeta, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0, sum_normal = 0;
    for (int r = 0; r < rows; ++r) {
        const float d = dy[r * columns + column];
        sum += d;
        sum_normal = fmaf(d, (x[r * columns + column] - mean[r]) * rstd[r], sum_normal);
    }
    dgamma[column] = sum_normal;
    dbeta[column] = sum;
}
