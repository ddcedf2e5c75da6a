// GELU by the hyperbolic tangent, rung 2: a loop in steps of the whole grid.
//
// What changed: a thread takes element i, then the one as many elements further as the grid has threads, and so on to the end. One grid
// that fills the GPU serves every n. Neighbours in a warp still touch neighbours in memory.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; a warp owns runs of 32 neighbours.
// Launch: 1-D, any block, any grid, even a single block; n plus the threads of the grid stay below 2³¹.
// Bytes: 4 · n read, 4 · n written. FLOPs: 8 · n, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors per request; n / 32 requests for each.

__device__ float gelu_tanh(float x) {
    const float two_u = 1.5957691f * fmaf(0.044715f * x * x, x, x); // 2 · √(2/π)
    return x / (1 + expf(-two_u));
}

__global__ void activation_gelu_tanh_grid_stride(const float* x, float* y, int n) {
    const int stride = gridDim.x * blockDim.x; // threads of the grid
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = gelu_tanh(x[i]);
}
