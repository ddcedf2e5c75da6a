// Copy with a stride, rung 6: one element for each thread.
//
// What changed: nothing lies between the lanes any more. Eight share a sector, and all of it is used: a warp's 128 bytes in 4 sectors, the
// fewest they fit into. Such a request is called coalesced.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 4 sectors per request, of which all is used.

constexpr int stride = 1; // elements from one lane to the next

__global__ void strided_copy_1(const float* x, float* y, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int k = 0; k < stride; ++k)
        if (first + k < n) y[first + k] = x[first + k];
}
