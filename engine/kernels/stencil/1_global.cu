// Stencil, rung 1: every thread reads all its neighbours from global memory.
//
// y[i] is the sum of the 2 · radius + 1 elements around x[i]; beyond the ends are zeros. Every element of x is read 2 · radius + 1 times,
// by neighbouring threads. The caches catch most of that, but each read is a request to them.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Order: from left to right, from 0.
// Bytes asked: 4 · (2 · radius + 1) · n read, 4 · n written. FLOPs: (2 · radius + 1) · n.
// Expected of a full warp: loads of x 4 sectors per request where its first lane reads at a multiple of 8 elements, 5 where not; stores to y
// 4. With radius 4 and 2048 warps: one of nine loads 4, the others 5, 44 in all; but 39 for the first warp, whose first lanes have fewer
// neighbours and begin together at the left end, and 40 for the last one: 90,103 sectors for 18,432 requests, 4.89 for each.

template <int radius>
__global__ void stencil_global(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = max(0, i - radius), to = min(n - 1, i + radius);
    float sum = 0;
    for (int j = from; j <= to; ++j) sum += x[j];
    y[i] = sum;
}

template __global__ void stencil_global<1>(const float* x, float* y, int n);
template __global__ void stencil_global<2>(const float* x, float* y, int n);
template __global__ void stencil_global<3>(const float* x, float* y, int n);
template __global__ void stencil_global<4>(const float* x, float* y, int n);
