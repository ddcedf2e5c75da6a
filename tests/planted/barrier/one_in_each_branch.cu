// Two barriers are not one: half of the threads wait at the first, half at the second.
//
// rung: transpose/1_naive
// set: rows=32
// set: columns=32
// expect: mismatched-barrier

__global__ void transpose_naive(const float* x, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    if (threadIdx.x < 16) {
        y[column * rows + row] = x[row * columns + column];
        __syncthreads(); // <- fault: mismatched-barrier
    } else {
        y[column * rows + row] = x[row * columns + column];
        __syncthreads(); // <- fault: mismatched-barrier
    }
}
