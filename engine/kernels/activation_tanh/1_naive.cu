// Hyperbolic tangent, rung 1: one thread computes one element.
//
// y[i] = tanh x[i] = (e^x - e^-x) / (e^x + e^-x), between -1 and 1. It is not computed so: e^x - e^-x nearly cancels around 0, and both
// powers overflow from 89 on. tanhf takes a polynomial around 0 and an exponential elsewhere.
// No element needs another, so each has a thread of its own. The last block may reach beyond n; hence the test.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: n, a tanh counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.

__global__ void activation_tanh_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = tanhf(x[i]);
}
