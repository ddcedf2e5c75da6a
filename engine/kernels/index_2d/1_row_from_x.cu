// Indices of a matrix, rung 1: the row from x, the column from y.
//
// A bias is added to every row of a matrix. A 2-D grid of 2-D blocks covers it, and each thread finds its row and column. Which of the two
// comes from x is for the programmer to say; both are right. Here the row does, as in "first index, first letter". But lanes of a warp
// differ in threadIdx.x first: they walk down a column, and neighbours in a row-major matrix are neighbours in a row.
//
// A thread owns y[row][column]. With 16 × 16 threads a warp owns 16 rows of 2 columns; a block a square.
// Launch: any block; the grid covers rows in x and columns in y. Here y's limit of 65,535 blocks is on columns.
// Bytes asked: 8 · rows · columns read, 4 · rows · columns written. FLOPs: rows · columns.
// Expected of a full warp of 16 × 16 threads: loads of x and stores to y 16 sectors per request, one for each row; loads of bias 1.

__global__ void index_2d_row_from_x(const float* x, const float* bias, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return; // blocks at the right and lower edges reach beyond them
    y[row * columns + column] = x[row * columns + column] + bias[column];
}
