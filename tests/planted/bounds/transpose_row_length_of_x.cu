// Rows of y are as long as x has rows; here they are taken to be as long as those of x.
//
// rung: transpose/1_naive
// set: rows=32
// set: columns=64
// expect: out-of-bounds in y

__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[column * columns + row] = x[row * columns + column]; // <- fault: out-of-bounds
}
