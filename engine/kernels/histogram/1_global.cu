// Histogram, rung 1: every byte counts itself in global memory.
//
// The loop ++bins[x[i]] cannot simply give each iteration a thread of its own: two that read the same count and write it back plus one have
// counted once. An atomic reads, adds and writes with none other in between. All threads of the grid share 256 counters; those that meet at
// one wait for each other.
//
// A thread owns x[i]; no one owns bins[b].
// Launch: first histogram_global_clear with one block of 256; then 1-D, any block; the grid covers n.
// Bytes: n read; an atomic of 8 bytes for each element. Additions: n.
// Expected of a full warp: loads of x 1 sector per request (32 bytes); n / 32 requests for atomics on bins, with as many sectors as the
// data will have it, up to 32. Stores to bins by the clearing launch 4.

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int b = x[i];
    atomicAdd(&bins[b], 1u);
}
