// Fill, rung 1: one thread writes one element.
//
// y[i] = value: how a gradient begins as zeros. Memory from an allocator holds what was there before; nothing clears it unasked.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n written. FLOPs: none.
// Expected of a full warp: stores to y 4 sectors of 32 bytes per request; n / 32 requests.

__global__ void fill_naive(float* y, float value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = value;
}
