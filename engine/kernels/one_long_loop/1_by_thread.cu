// One long loop, rung 1: a thread for each element.
//
// Of every 32 elements one takes `longest` rounds of a loop, the others `usual`. In every warp there is one such lane. When the others are
// through, there is nothing for them to do: the warp goes on until its last lane is through.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: 2 for each round.
// Expected of a full warp: loads of x and stores to y 4 sectors per request. Active lanes in the loop: of 32 · longest turns those of 31
// usual loops and a long one.

constexpr int slow = 7; // which of 32 elements

__global__ void one_long_loop_by_thread(const float* x, float* y, int n, int usual, int longest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int rounds = i % 32 == slow ? longest : usual;
    float v = x[i];
    for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.75f, 0.25f);
    y[i] = v;
}
