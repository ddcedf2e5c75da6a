// GELU, rung 1: one thread computes one element.
//
// y[i] = x[i] · Φ(x[i]), where Φ(x) is the share of a normal distribution below x: ½ · (1 + erf(x / √2)). Where x is far below 0, that
// sum nearly cancels; erfc(z) = 1 - erf(z) is a function of its own, which does not: Φ(x) = ½ · erfc(-x / √2).
// No element needs another, so each has a thread of its own. The last block may reach beyond n; hence the test.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: 4 · n, an erfc counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)", 2016.

__device__ float gelu(float x) { return 0.5f * x * erfcf(-0.70710678f * x); } // 1 / √2

__global__ void activation_gelu_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = gelu(x[i]);
}
