// Sum, rung 1: a tree of pairs at growing distances, found by a remainder.
//
// Each block adds up a part of x in shared memory and leaves one sum; a second launch of the same kernel adds up the blocks' sums, and so
// on until one is left. In the block, neighbours are added in pairs, then pairs of pairs, …: element t gets element t + distance where t is
// a multiple of 2 · distance. Those t are spread over all warps: up to distance 16 every warp goes along, with fewer and fewer lanes that
// do anything, and computes a remainder, which is slow, too.
//
// A thread owns sums[t]; a warp 32 of them; a block y[blockIdx.x], the sum of blockDim.x elements.
// Launch: 1-D, blockDim.x a power of two; the grid covers n. Dynamic shared memory: 4 · blockDim.x bytes.
// Order: a balanced tree over neighbours, in each block and over the blocks.
// Bytes: 4 · n read, 4 for each block written. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1, by one thread; `sums` 1 wavefront, loads and stores alike. Of
// 256 threads: 8 warps in each of the first 5 steps, then 4, 2, 1; two loads each and one at the end: 95 requests for loads of `sums`.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, kernel 1.

__global__ void reduction_modulo(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = 1; distance < threads; distance *= 2) {
        if (t % (2 * distance) == 0) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
