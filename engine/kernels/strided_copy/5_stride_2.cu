// Copy with a stride, rung 5: 2 neighbours for each thread.
//
// What changed: the runs are half as long, 8 bytes. Four lanes share a sector, of which half is used.
//
// A thread owns 2 neighbours; a warp 64 neighbours; a block 2 · blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n, 2 elements for each thread.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 8 sectors per request, of which half is used.

constexpr int stride = 2; // elements from one lane to the next

__global__ void strided_copy_2(const float* x, float* y, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int k = 0; k < stride; ++k)
        if (first + k < n) y[first + k] = x[first + k];
}
