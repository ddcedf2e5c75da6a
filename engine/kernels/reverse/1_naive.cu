// Reversal, rung 1: one thread moves one element.
//
// y[i] = x[n - 1 - i]. No iteration of this loop writes what another reads or writes, so each may have a thread of its own, in any order.
// (y[i] = y[i - 1] + x[i] may not: each waits for the one before; see the prefix sum. ++bins[x[i]] may not: two may meet at one bin; see
// the histogram.) The lanes of a warp read 32 neighbours from right to left. For a GPU that is the same as from left to right: what counts
// is which sectors they touch.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 8: loads of x and stores to y 4 sectors per request. (Else loads of x 5.)

__global__ void reverse_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[n - 1 - i];
}
