// Bias, rung 1: one thread computes one element.
//
// y[r][c] = x[r][c] + b[c]: every row, which is an example, gets the same numbers added. b is read once for every row, but it is small and
// stays in the cache.
//
// A thread owns y[row][column]; a warp neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y. y may be x.
// Bytes: 8 · rows · columns read, 4 · rows · columns written. FLOPs: rows · columns.
// Expected of a full warp of one row: loads of x and b and stores to y 4 sectors of 32 bytes per request.

__global__ void bias_add_naive(const float* x, const float* b, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = x[row * columns + column] + b[column];
}
