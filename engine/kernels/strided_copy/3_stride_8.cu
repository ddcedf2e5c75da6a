// Copy with a stride, rung 3: 8 neighbours for each thread.
//
// What changed: the runs are half as long, 32 bytes: a sector for each lane, the least stride at which every one has its own.
//
// A thread owns 8 neighbours; a warp 256 neighbours; a block 8 · blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n, 8 elements for each thread.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 32 sectors per request, of which an eighth is used.

constexpr int stride = 8; // elements from one lane to the next

__global__ void strided_copy_8(const float* x, float* y, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int k = 0; k < stride; ++k)
        if (first + k < n) y[first + k] = x[first + k];
}
