// Vector sum, rung 1: one thread adds one element.
//
// c[i] = a[i] + b[i]. The loop over i is gone: each of its iterations has a thread of its own, which finds its i from where it stands in
// the grid. The grid has whole blocks, so the last one may reach beyond n; hence the test.
//
// A thread owns c[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: n. A twelfth of a FLOP for each byte: the time is that of moving the bytes.
// Expected of a full warp: loads of a and b and stores to c 4 sectors of 32 bytes per request; n / 32 requests for each.

__global__ void vector_add_naive(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; // the last block's threads beyond the end
    c[i] = a[i] + b[i];
}
