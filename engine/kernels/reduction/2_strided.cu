// Sum, rung 2: the same tree, done by the first threads.
//
// What changed: in each step the threads that work are the first ones of the block, not every second, fourth, …. Warps are full or idle as
// a whole as long as 32 additions are left, and there is no remainder. But thread t now works at index 2 · distance · t: lanes are 2, 4, 8,
// … words apart and meet in the same banks.
//
// A thread owns the pair at 2 · distance · t; a block y[blockIdx.x], the sum of blockDim.x elements.
// Launch: 1-D, blockDim.x a power of two; the grid covers n. Dynamic shared memory: 4 · blockDim.x bytes.
// Order: as before.
// Bytes: 4 · n read, 4 for each block written. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1. Of 256 threads: 4, 2, 1, 1, 1, 1, 1, 1 warps in the eight
// steps, with 2, 4, 8, 8, 8, 4, 2, 1 wavefronts for each request, 47 in all. Loads of `sums` (two in each step, one at the end): 25
// requests, 95 wavefronts, 3.8 for each; stores (8 at the beginning, one in each step): 20 requests, 55 wavefronts, 2.75 for each.
// Source: Harris 2007, kernel 2.

__global__ void reduction_strided(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = 1; distance < threads; distance *= 2) {
        const int at = 2 * distance * t;
        if (at < threads) sums[at] += sums[at + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
