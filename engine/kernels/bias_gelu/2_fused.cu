// Bias and GELU, rung 2: fused into one launch.
//
// What changed: the sum stays in a register, and the same thread goes on with it. z is never in memory: of 20 bytes for an element 12 are
// left, of which b comes from the cache; and there is one launch to wait for instead of two. The arithmetic is the same, bit for bit.
//
// A thread owns y[row][column]; a warp neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// Bytes: 8 · rows · columns read, 4 · rows · columns written. FLOPs: 5 · rows · columns, an erfc counted as one.
// Expected of a full warp of one row: loads of x and b and stores to y 4 sectors per request.

__device__ float gelu(float x) { return 0.5f * x * erfcf(-0.70710678f * x); } // x · Φ(x); 1 / √2

__global__ void bias_gelu_fused(const float* x, const float* b, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = gelu(x[row * columns + column] + b[column]);
}
