// Copy with an offset, rung 3: every warp starts eight elements late.
//
// What changed: the offset is 32 bytes, a whole sector. Now a warp's 128 bytes fill four sectors. They still lie in two cache lines of 128
// bytes instead of one.
//
// A thread owns y[i]; a warp 32 neighbours, the last one's wrap round; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n < 2³¹ - 8.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 32: loads of x and stores to y 4 sectors per request, in two lines.

constexpr int offset = 8; // of the first thread's element

__global__ void misaligned_copy_8(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n) return;
    const int i = (thread + offset) % n; // the last threads take the first elements
    y[i] = x[i];
}
