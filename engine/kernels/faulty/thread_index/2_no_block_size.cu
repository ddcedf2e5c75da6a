// Index of a thread, rung 2: the size of a block is forgotten.
//
// y[i] = 2 · x[i]. Wrong: block b begins at element b, one behind the block before it, not blockDim.x behind it. All blocks crowd at the
// beginning: element i is written by each pair of block and thread whose numbers add up to i. All write the same number there; what lies
// behind is never written.
//
// A thread shares y[i] with others.
// Launch: 1-D; `blocks` blocks of any size.

__global__ void thread_index_no_block_size(const float* x, float* y, int n) {
    const int i = blockIdx.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
}
