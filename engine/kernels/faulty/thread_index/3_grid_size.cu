// Index of a thread, rung 3: the size of the grid in place of that of a block.
//
// y[i] = 2 · x[i]. Wrong: block b begins at element b · gridDim.x. With fewer blocks than a block has threads the blocks overlap, and the end
// of y is never written; with more there would be gaps between them. Where both numbers are equal, nobody notices.
//
// A thread shares y[i] with others.
// Launch: 1-D; `blocks` blocks of any size.

__global__ void thread_index_grid_size(const float* x, float* y, int n) {
    const int i = blockIdx.x * gridDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
}
