// Branch of k ways, rung 1: by the thread.
//
// Element i goes through the function of number i mod k; there are eight, the last, y = x, also for higher numbers. In every warp there
// are lanes for each of the k ways, and the warp goes all of them, one after the other, each time with 32 / k of its lanes: with k = 8 an
// instruction in the switch does the work of four lanes.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: about n.
// Expected of a full warp: loads of x and stores to y 4 sectors per request. Active lanes within the switch, k = 8: 4 of 32.

/// The function of that number.
__device__ float apply(int way, float v) {
    switch (way) {
    case 0: return fmaf(v, 0.5f, 0.25f);
    case 1: return v * v;
    case 2: return sqrtf(v);
    case 3: return 1 / (1 + v);
    case 4: return fmaf(v, v, v);
    case 5: return fmaxf(v, 0.5f);
    case 6: return 1 - v;
    default: return v;
    }
}

__global__ void branch_switch_by_thread(const float* x, float* y, int n, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = apply(i % k, x[i]);
}
