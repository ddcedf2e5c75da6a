// Copy of a matrix, rung 1: one thread moves one element.
//
// The column from x, the row from y. Threads of a block are numbered with x fastest, and each 32 of them in this order are a warp. So the
// shape of the block says which 32 elements one warp asks for, and how many lines of 128 bytes these lie in: the narrower the block, the more
// rows and lines. As long as it is 8 wide at least, the sectors stay as many.
//
// A thread owns y[row][column]; a block a rectangle of the block's shape.
// Launch: any block; the grid covers columns in x and rows in y.
// Bytes: 4 · rows · columns read, as many written. FLOPs: none.
// Expected of a full warp of 32 × 8 threads: loads of x and stores to y 4 sectors per request; rows · columns / 32 requests for each.

__global__ void copy_2d(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = x[row * columns + column];
}
