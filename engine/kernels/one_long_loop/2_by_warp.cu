// One long loop, rung 2: long loops in warps of their own.
//
// What changed: which thread does which element. Of each 32 warps, which share 1024 elements, the first takes the 32 long ones, the others
// 31 · 32 usual ones. The lanes of a warp agree on how many rounds there are, and none waits. The price: the long elements lie 32 apart,
// each in a sector of its own.
//
// A thread owns y[i]; a warp 32 elements of one kind; a block blockDim.x elements.
// Launch: 1-D, blockDim.x a multiple of 32; the grid covers n, rounded up to a multiple of 1024.
// Bytes: 4 · n read, 4 · n written. FLOPs: 2 for each round.
// Expected of a full warp: one request for loads of x, one for stores to y. Active lanes in the loop: 32.

constexpr int slow = 7; // which of 32 elements

/// The element that a thread takes.
__device__ int element_of(int thread) {
    const int first = thread / 1024 * 1024, warp = thread % 1024 / 32, lane = thread % 32;
    if (warp == 0) return first + 32 * lane + slow;
    const int usual = 32 * (warp - 1) + lane; // its number among the usual ones, 31 to a row of 32
    const int row = usual / 31, at = usual % 31;
    return first + 32 * row + at + (at >= slow ? 1 : 0);
}

__global__ void one_long_loop_by_warp(const float* x, float* y, int n, int usual, int longest) {
    const int i = element_of(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const int rounds = i % 32 == slow ? longest : usual;
    float v = x[i];
    for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.75f, 0.25f);
    y[i] = v;
}
