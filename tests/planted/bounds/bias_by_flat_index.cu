// The bias has an element for each column; it is read with the index of the whole matrix.
//
// rung: bias_add/1_naive
// set: rows=32
// set: columns=31
// expect: out-of-bounds in b

__global__ void bias_add_naive(const float* x, const float* b, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = x[row * columns + column] + b[row * columns + column]; // <- fault: out-of-bounds
}
