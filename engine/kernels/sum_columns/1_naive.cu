// Sum of the columns, rung 1: a thread for each row.
//
// y[r] = Σ_c x[r][c]. A thread goes along its row. It looks like the sum of the rows with the letters changed, but the lanes of a warp now read
// a whole row apart: 32 sectors of 32 bytes for 128 bytes.
//
// A thread owns y[row]. The sum is one chain of additions in the order of the columns.
// Launch: 1-D, any block; the grid covers the rows.
// Bytes: 4 · rows · columns read, 4 · rows written. FLOPs: rows · columns.
// Expected of a full warp: loads of x 32 sectors per request, stores to y 4.

__global__ void sum_columns_naive(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += x[row * columns + c];
    y[row] = sum;
}
