// Branch by parity, rung 2: even and odd warps go different ways.
//
// What changed: which thread does which element. Of each two warps, which share 64 elements, the first takes the even ones, the second the
// odd ones. The lanes of a warp agree, so no warp goes both ways: half as many instructions, with 32 lanes in each. The price: lanes
// now read and write every second element, 8 sectors for a request instead of 4.
//
// A thread owns y[i]; a warp 32 elements of one parity; a block blockDim.x elements, of whole 64s if it is a multiple of 64.
// Launch: 1-D, any block of a multiple of 32; the grid covers n, rounded up to a multiple of 64.
// Bytes: 4 · n read, 4 · n written. FLOPs: 16 · n.
// Expected of a full warp: loads of x and stores to y 8 sectors per request. Active lanes: 32.

constexpr int rounds = 8;

__global__ void branch_parity_by_warp(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = thread % 32, warp = thread / 32;
    const int i = 64 * (warp / 2) + 2 * lane + warp % 2; // of the parity of the warp
    if (i >= n) return;
    if (warp % 2 == 0) {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.75f, 0.125f);
        y[i] = v;
    } else {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.5f, 0.25f);
        y[i] = v;
    }
}
