// Index of a thread, rung 1: as it should be.
//
// y[i] = 2 · x[i]. The blocks before this one have blockDim.x threads each; so the first thread of block b is number b · blockDim.x, and
// the others follow. Every i below gridDim.x · blockDim.x has exactly one thread. Is the grid too small for n, the rest stays untouched.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D; `blocks` blocks of any size.

__global__ void thread_index_right(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
}
