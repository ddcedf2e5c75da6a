// Branch by parity, rung 1: even and odd threads go different ways.
//
// An element of even index is computed in one way, one of odd index in another. In every warp 16 lanes go one way and 16 the other. A warp
// has one instruction at a time: it goes one way with half of its lanes, then the other with the other half, and takes as long as both
// together. Then the groups meet again.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: 16 · n.
// Expected of a full warp: two requests for loads of x and two for stores to y, of 16 lanes and 4 sectors each. Active lanes within the
// branches: 16 of 32.

constexpr int rounds = 8;

__global__ void branch_parity_by_thread(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i % 2 == 0) {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.75f, 0.125f);
        y[i] = v;
    } else {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.5f, 0.25f);
        y[i] = v;
    }
}
