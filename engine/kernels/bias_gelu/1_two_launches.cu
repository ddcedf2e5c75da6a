// Bias and GELU, rung 1: two launches.
//
// z[r][c] = x[r][c] + b[c], then y[r][c] = gelu(z[r][c]): each op has its kernel, as a framework runs them. z goes out to memory and comes back at
// once, although no one else wants it.
//
// A thread owns an element of z, then of y; a warp neighbours of a row.
// Launch: both: any block; the grid covers columns in x and rows in y.
// Bytes: 12 · rows · columns read (x, b, z), 8 · rows · columns written (z, y). FLOPs: 5 · rows · columns, an erfc counted as one.
// Expected of a full warp of one row: loads of x, b and z and stores to z and y 4 sectors of 32 bytes per request.
// Source: GELU: Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)", 2016.

__device__ float gelu(float x) { return 0.5f * x * erfcf(-0.70710678f * x); } // x · Φ(x); 1 / √2

__global__ void bias_gelu_two_launches_add(const float* x, const float* b, float* z, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    z[row * columns + column] = x[row * columns + column] + b[column];
}

__global__ void bias_gelu_two_launches_gelu(const float* z, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = gelu(z[row * columns + column]);
}
