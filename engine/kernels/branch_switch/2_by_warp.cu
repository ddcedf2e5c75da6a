// Branch of k ways, rung 2: by the warp.
//
// What changed: which thread does which element. Of k warps, which share 32 · k elements, each takes those of one way, so that every warp
// goes one way with all its lanes. The price: its elements lie k apart, with k = 8 each in a sector of its own. Whether that is a gain
// depends on what is dear: instructions, of which the switch now has an eighth, or sectors, of which there are eight times as many.
//
// A thread owns y[i]; a warp 32 elements of one way; a block blockDim.x elements.
// Launch: 1-D, blockDim.x a multiple of 32; the grid covers n, rounded up to a multiple of 32 · k.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: about n.
// Expected of a full warp with k = 8: loads of x and stores to y 32 sectors per request. Active lanes: 32.

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

__global__ void branch_switch_by_warp(const float* x, float* y, int n, int k) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = thread % 32, warp = thread / 32;
    const int way = warp % k;
    const int i = 32 * k * (warp / k) + k * lane + way; // i mod k is the warp's way
    if (i < n) y[i] = apply(way, x[i]);
}
