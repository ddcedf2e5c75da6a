// Transpose, rung 1: one thread moves one element.
//
// A thread owns x[row][column] and writes it to y[column][row]. A warp reads 32 neighbours of a row, 4 sectors of 32 bytes; it
// writes them down a column, `rows` elements apart: 32 sectors for 128 bytes, seven eighths of what is moved for nothing.
//
// Launch: any block; the grid covers columns in x and rows in y.
// Bytes: 4 · rows · columns read, as many written. FLOPs: none.
// Expected of a full warp: loads of x 4 sectors per request, stores to y 32.

__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[column * rows + row] = x[row * columns + column];
}
