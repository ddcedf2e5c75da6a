// Index of a thread, rung 5: a loop in steps of the whole grid.
//
// y[i] = 2 · x[i]. Right, and so for any number of blocks: a thread goes on with the element that lies as many further as the grid has
// threads, until there are none.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; a warp runs of 32 neighbours.
// Launch: 1-D; `blocks` blocks of any size; n plus the threads of the grid stay below 2³¹.

__global__ void thread_index_grid_stride(const float* x, float* y, int n) {
    const int stride = gridDim.x * blockDim.x; // threads of the grid
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = 2 * x[i];
}
