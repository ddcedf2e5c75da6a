// Gradient of SiLU, rung 1: one thread computes one element.
//
// Forward: y = x · s, s = σ(x) = 1 / (1 + exp(-x)). The slope is s + x · s · (1 - s) = s · (1 + x · (1 - s)).
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 8 · n, an exponential counted as one.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float silu_backward(float dy, float x) {
    const float s = 1 / (1 + expf(-x));
    return dy * s * fmaf(x, 1 - s, 1.0f);
}

__global__ void activation_silu_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = silu_backward(dy[i], x[i]);
}
