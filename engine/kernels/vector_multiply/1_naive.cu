// Product of vectors, element by element, rung 1: one thread computes one element.
//
// c[i] = a[i] · b[i]: a gate, a mask, a scale of its own for each element. One multiplication for twelve bytes: the time is that of moving them.
//
// A thread owns c[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: n.
// Expected of a full warp: loads of a and b and stores to c 4 sectors of 32 bytes per request; n / 32 requests for each.


__global__ void vector_multiply_naive(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c[i] = a[i] * b[i];
}
