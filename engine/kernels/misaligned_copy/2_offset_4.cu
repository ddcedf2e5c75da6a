// Copy with an offset, rung 2: every warp starts four elements late.
//
// What changed: the offset is 16 bytes, half a sector. A fifth sector is touched all the same: only half of it, instead of an eighth. (A
// float4 could be read from here, which asks for multiples of 16 bytes.)
//
// A thread owns y[i]; a warp 32 neighbours, the last one's wrap round; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n < 2³¹ - 8.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 32: loads of x and stores to y 5 sectors per request, in two lines.

constexpr int offset = 4; // of the first thread's element

__global__ void misaligned_copy_4(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n) return;
    const int i = (thread + offset) % n; // the last threads take the first elements
    y[i] = x[i];
}
