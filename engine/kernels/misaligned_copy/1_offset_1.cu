// Copy with an offset, rung 1: every warp starts one element late.
//
// Thread t copies element t + 1, and the last thread the first one. Lanes of a warp touch 32 neighbours, but these begin 4 bytes after a
// multiple of 32 bytes and end 4 bytes in the next sector: 128 bytes lie in 5 sectors, the first and last of which the next warps touch,
// too. That is a quarter more for the cache, and hardly more for memory: far less than a stride of 2 costs.
//
// A thread owns y[i]; a warp 32 neighbours, the last one's wrap round; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n < 2³¹ - 8.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 32: loads of x and stores to y 5 sectors per request, in two lines.

constexpr int offset = 1; // of the first thread's element

__global__ void misaligned_copy_1(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n) return;
    const int i = (thread + offset) % n; // the last threads take the first elements
    y[i] = x[i];
}
