// Gradient of GELU, rung 1: one thread computes one element.
//
// Forward: y = x · Φ(x). Its slope is Φ(x) + x · φ(x), where Φ(x) = ½ · erfc(-x / √2) is the share of a normal distribution below x and
// φ(x) = exp(-x² / 2) / √(2π) its density, which is the slope of Φ.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 10 · n, an erfc and an exponential counted as one each.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float gelu_backward(float dy, float x) {
    const float below = 0.5f * erfcf(-0.70710678f * x);      // Φ(x); 1 / √2
    const float density = 0.39894228f * expf(-0.5f * x * x); // φ(x); 1 / √(2π)
    return dy * fmaf(x, density, below);
}

__global__ void activation_gelu_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = gelu_backward(dy[i], x[i]);
}
