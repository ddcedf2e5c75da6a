// SiLU, rung 1: one thread computes one element.
//
// y[i] = x[i] · σ(x[i]) = x[i] / (1 + exp(-x[i])), also called swish. Where exp overflows, y is -0, as it should be.
// No element needs another, so each has a thread of its own. The last block may reach beyond n; hence the test.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: 3 · n, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Elfwing, Uchibe and Doya, "Sigmoid-Weighted Linear Units for Neural Network Function Approximation in Reinforcement Learning", 2018.

__device__ float silu(float x) { return x / (1 + expf(-x)); }

__global__ void activation_silu_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = silu(x[i]);
}
