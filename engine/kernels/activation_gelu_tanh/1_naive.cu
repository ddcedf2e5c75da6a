// GELU by the hyperbolic tangent, rung 1: one thread computes one element.
//
// y[i] = x[i] / 2 · (1 + tanh u), u = √(2/π) · (x[i] + 0.044715 · x[i]³): nearly x · Φ(x), without the normal distribution. Where x is far
// below 0, 1 + tanh u nearly cancels; it is 2 / (1 + exp(-2u)), which does not.
// No element needs another, so each has a thread of its own. The last block may reach beyond n; hence the test.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: 8 · n, an exponential counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Hendrycks and Gimpel, "Gaussian Error Linear Units (GELUs)", 2016.

__device__ float gelu_tanh(float x) {
    const float two_u = 1.5957691f * fmaf(0.044715f * x * x, x, x); // 2 · √(2/π)
    return x / (1 + expf(-two_u));
}

__global__ void activation_gelu_tanh_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = gelu_tanh(x[i]);
}
