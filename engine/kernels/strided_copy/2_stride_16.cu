// Copy with a stride, rung 2: 16 neighbours for each thread.
//
// What changed: the runs are half as long, 64 bytes. Lanes are still in sectors of their own, so the count does not move.
//
// A thread owns 16 neighbours; a warp 512 neighbours; a block 16 · blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n, 16 elements for each thread.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 32 sectors per request, of which an eighth is used.

constexpr int stride = 16; // elements from one lane to the next

__global__ void strided_copy_16(const float* x, float* y, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int k = 0; k < stride; ++k)
        if (first + k < n) y[first + k] = x[first + k];
}
