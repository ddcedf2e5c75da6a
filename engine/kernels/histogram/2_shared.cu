// Histogram, rung 2: a histogram for each block, in shared memory.
//
// What changed: a block counts its own elements in 256 counters of its own, which lie on the SM, and only at the end adds these to the
// bins of all: 256 global atomics for a block instead of one for an element. That pays if a block has many more elements than 256, so
// the grid is small, and threads go on in steps of the grid.
//
// A thread owns every (gridDim.x · blockDim.x)-th element, and every blockDim.x-th counter when clearing and adding; a block `counts`.
// Launch: first histogram_shared_clear with one block of 256; then 1-D, any block, any grid.
// Bytes: n read; 256 atomics of 8 bytes for each block. Shared: 1 KiB. Additions: n, and 256 for each block.
// Expected of a full warp: loads of x 1 sector per request; atomics on bins and stores to them 4; `counts` 1 wavefront, loads and stores
// alike; n / 32 requests for atomics on `counts`, with as many wavefronts as the data will have it.

__global__ void histogram_shared_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_shared(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned counts[256];
    const int threads = blockDim.x, t = threadIdx.x;

    // Clear.
    for (int b = t; b < 256; b += threads) counts[b] = 0;
    __syncthreads(); // other threads cleared what this one counts in

    // Count.
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        const int b = x[i];
        atomicAdd(&counts[b], 1u);
    }
    __syncthreads(); // other threads counted in what this one adds

    // Add.
    for (int b = t; b < 256; b += threads) atomicAdd(&bins[b], counts[b]);
}
