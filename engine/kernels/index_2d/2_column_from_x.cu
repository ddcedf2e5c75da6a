// Indices of a matrix, rung 2: the column from x, the row from y.
//
// What changed: x and y have changed places. threadIdx.x, in which lanes differ first, walks along a row, where the next element lies in
// the next four bytes. The result is the same, with a quarter of the sectors.
//
// A thread owns y[row][column]. With 16 × 16 threads a warp owns 2 rows of 16 columns; a block a square.
// Launch: any block; the grid covers columns in x and rows in y. y's limit of 65,535 blocks is on rows.
// Bytes asked: 8 · rows · columns read, 4 · rows · columns written. FLOPs: rows · columns.
// Expected of a full warp of 16 × 16 threads: loads of x and stores to y 4 sectors per request, two for each row; loads of bias 2.

__global__ void index_2d_column_from_x(const float* x, const float* bias, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return; // blocks at the right and lower edges reach beyond them
    y[row * columns + column] = x[row * columns + column] + bias[column];
}
