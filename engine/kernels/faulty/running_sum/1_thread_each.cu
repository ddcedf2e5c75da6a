// Running sum, rung 1: a thread for each turn of the loop.
//
// for (i = 1 …) y[i] = y[i − 1] + x[i]. Wrong: each turn needs what the one before wrote, and threads do not wait for each other. Which
// y[i − 1] a thread finds depends on which of the two came first: a race at every element.
//
// A thread owns y[i], and reads its neighbour's.
// Launch: 1-D, any block; the grid covers n. y[0] holds x[0] before.

__global__ void running_sum_thread_each(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = (i > 0 ? y[i - 1] : 0) + x[i];
}
