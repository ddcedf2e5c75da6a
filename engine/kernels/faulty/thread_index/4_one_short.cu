// Index of a thread, rung 4: one short.
//
// y[i] = 2 · x[i]. Wrong: each block begins where the one before ends, not behind it. At every border between blocks one element is written
// twice, and at the end of y as many are missing as there are borders.
//
// A thread owns y[i], but for the first and last of a block.
// Launch: 1-D; `blocks` blocks of any size.

__global__ void thread_index_one_short(const float* x, float* y, int n) {
    const int i = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
}
