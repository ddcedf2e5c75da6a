// Gradient of GELU by the hyperbolic tangent, rung 1: one thread computes one element.
//
// Forward: y = x · s, s = σ(2u) = 1 / (1 + exp(-2u)), 2u = √(8/π) · (x + 0.044715 · x³). The slope is s + x · s · (1 - s) · d(2u)/dx,
// where d(2u)/dx = √(8/π) · (1 + 3 · 0.044715 · x²).
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 18 · n, an exponential counted as one.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float gelu_tanh_backward(float dy, float x) {
    const float two_u = 1.5957691f * fmaf(0.044715f * x * x, x, x); // √(8/π)
    const float s = 1 / (1 + expf(-two_u));
    const float slope = 1.5957691f * fmaf(0.134145f * x, x, 1.0f); // of 2u
    return dy * fmaf(x * s * (1 - s), slope, s);
}

__global__ void activation_gelu_tanh_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = gelu_tanh_backward(dy[i], x[i]);
}
