// Vector sum, rung 2: a loop in steps of the whole grid.
//
// What changed: the size of the grid no longer follows from n. A thread adds element i, then the one as many elements further as the
// grid has threads, and so on to the end. Neighbours in a warp still touch neighbours in memory. One grid that fills the GPU serves
// every n, and what a thread works out at its start is worked out once for many elements.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; a warp owns runs of 32 neighbours.
// Launch: 1-D, any block, any grid, even a single block; n plus the threads of the grid stay below 2³¹.
// Bytes: 8 · n read, 4 · n written. FLOPs: n.
// Expected of a full warp: loads of a and b and stores to c 4 sectors per request; n / 32 requests for each.

__global__ void vector_add_grid_stride(const float* a, const float* b, float* c, int n) {
    const int stride = gridDim.x * blockDim.x; // threads of the grid
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i];
}
