// Gradient of the hyperbolic tangent, rung 1: one thread computes one element.
//
// Forward: y = tanh x. The slope is 1 - y², rounded once by fmaf: 1 at 0, and hardly anything from 3 on, where the unit is saturated.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 4 · n, a tanh counted as one.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float tanh_backward(float dy, float x) {
    const float y = tanhf(x);
    return dy * fmaf(-y, y, 1.0f);
}

__global__ void activation_tanh_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = tanh_backward(dy[i], x[i]);
}
