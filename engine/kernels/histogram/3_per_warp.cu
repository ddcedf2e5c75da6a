// Histogram, rung 3: a histogram for each warp.
//
// What changed: each warp counts in 256 counters of its own. Only its 32 lanes can meet at one, not the whole block's threads, which helps
// most where the data have few different values. The block's threads then add up the warps' counters. The price is shared memory: 1 KiB for
// each warp.
//
// A thread owns every (gridDim.x · blockDim.x)-th element, and every blockDim.x-th bin when adding; a warp 256 of `counts`.
// Launch: first histogram_per_warp_clear with one block of 256; then 1-D, blockDim.x a multiple of 32, any grid. Dynamic shared memory:
// 32 · blockDim.x bytes.
// Bytes: n read; 256 atomics of 8 bytes for each block. Additions: n, and 256 for each warp and block.
// Expected of a full warp: loads of x 1 sector per request; atomics on bins and stores to them 4; `counts` 1 wavefront, loads and stores
// alike; n / 32 requests for atomics on `counts`, with as many wavefronts as the data will have it.
// Source: Podlozhnyuk, "Histogram calculation in CUDA", 2007.

__global__ void histogram_per_warp_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_per_warp(const unsigned char* x, unsigned* bins, int n) {
    extern __shared__ unsigned counts[]; // [warps][256]
    const int threads = blockDim.x, t = threadIdx.x;
    const int warp = t / 32, warps = threads / 32;

    // Clear.
    for (int k = t; k < 256 * warps; k += threads) counts[k] = 0;
    __syncthreads(); // other warps cleared what this one counts in

    // Count.
    unsigned* mine = counts + 256 * warp;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        const int b = x[i];
        atomicAdd(&mine[b], 1u);
    }
    __syncthreads(); // other warps counted in what this thread adds

    // Add.
    for (int b = t; b < 256; b += threads) {
        unsigned sum = 0;
        for (int w = 0; w < warps; ++w) sum += counts[256 * w + b];
        atomicAdd(&bins[b], sum);
    }
}
