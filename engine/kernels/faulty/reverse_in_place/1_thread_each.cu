// Reversal in place, rung 1: a thread for each turn of the loop.
//
// for (i = 0 …) next x[i] = x[n − 1 − i]. Wrong: thread i overwrites what thread n − 1 − i has yet to read. Who comes second finds the other's
// result in place of the input: a race at every element. A second array for the output would do; so would one thread for each pair.
//
// A thread owns x[i], and reads x[n − 1 − i].
// Launch: 1-D, any block; the grid covers n.

__global__ void reverse_in_place_thread_each(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = x[n - 1 - i];
}
