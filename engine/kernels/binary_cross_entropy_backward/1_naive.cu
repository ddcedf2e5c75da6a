// Gradient of sigmoid and binary cross-entropy, rung 1: one thread computes one element.
//
// Forward: p = 1 / (1 + e^-z), L = -1/n · Σ_i (y[i] · ln p[i] + (1 - y[i]) · ln(1 - p[i])). Backward: dz[i] = (p[i] - y[i]) / n: sigmoid and
// logarithms cancel each other.
//
// A thread owns dz[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp: loads of p and y and stores to dz 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float gradient(float p, float y, float scale) { return (p - y) * scale; }

__global__ void binary_cross_entropy_backward_naive(const float* p, const float* y, float* dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dz[i] = gradient(p[i], y[i], 1.0f / n);
}
