// Copy with a stride, rung 1: 32 neighbours for each thread.
//
// Every thread copies a run of its own, one element after the other, as one would divide the work between the few threads of a CPU. But the
// 32 lanes of a warp go at the same time: at any moment they are at 32 places, 32 elements apart. Every lane touches another sector of 32
// bytes, from which it takes 4: an eighth of what is moved. What the other elements need of those sectors comes from the cache, if they are
// still there when the loop gets to them.
//
// A thread owns 32 neighbours; a warp 1024 neighbours; a block 32 · blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n, 32 elements for each thread.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 32 sectors per request, of which an eighth is used.

constexpr int stride = 32; // elements from one lane to the next

__global__ void strided_copy_32(const float* x, float* y, int n) {
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    for (int k = 0; k < stride; ++k)
        if (first + k < n) y[first + k] = x[first + k];
}
