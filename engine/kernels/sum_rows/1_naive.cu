// Sum of the rows, rung 1: a thread for each column.
//
// y[c] = Σ_r x[r][c]: the gradient of a bias, for every row of the gradient reached it alike. A thread goes down its column; the lanes of a
// warp go side by side, so that they read 32 neighbours of each row.
//
// A thread owns y[column]. The sum is one chain of additions in the order of the rows.
// Launch: 1-D, any block; the grid covers the columns.
// Bytes: 4 · rows · columns read, 4 · columns written. FLOPs: rows · columns.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request.

__global__ void sum_rows_naive(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int r = 0; r < rows; ++r) sum += x[r * columns + column];
    y[column] = sum;
}
