// Loops of uneven lengths, rung 1: each thread as many rounds as its element takes.
//
// Element i takes lengths[i] rounds, 0 to 63. A lane that is through waits until the last of its warp is: the warp takes as long as its
// longest loop. Of 32 lengths picked at random the longest is 61.5 on average, the mean 31.5: half of the lanes' turns are for nothing.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 for each round.
// Expected of a full warp: loads of x and lengths and stores to y 4 sectors per request. Active lanes in the loop: about 16 of 32.

__global__ void uneven_loops_direct(const float* x, const int* lengths, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int length = lengths[i];
    float v = x[i];
    for (int round = 0; round < length; ++round) v = fmaf(v, 0.75f, 0.25f);
    y[i] = v;
}
