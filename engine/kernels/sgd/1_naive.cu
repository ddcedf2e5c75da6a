// Gradient descent, rung 1: one thread computes one element.
//
// W_next[i] = W[i] - lr · g[i], as one fmaf: a step against the gradient g, as long as the learning rate says.
//
// A thread owns W_next[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n. W_next may be W.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp: loads of W and g and stores to W_next 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Robbins and Monro, "A Stochastic Approximation Method", 1951.

__global__ void sgd_naive(const float* W, const float* g, float* W_next, float lr, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    W_next[i] = fmaf(-lr, g[i], W[i]);
}
