// Copy with an offset, rung 4: every warp starts where it should.
//
// What changed: no offset. What cudaMalloc returns begins at a multiple of 256 bytes, and every warp's 32 elements of 4 bytes at a multiple
// of 128: four sectors in one cache line.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n < 2³¹ - 8.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 32: loads of x and stores to y 4 sectors per request, in one line.

constexpr int offset = 0; // of the first thread's element

__global__ void misaligned_copy_0(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= n) return;
    const int i = (thread + offset) % n; // the last threads take the first elements
    y[i] = x[i];
}
