// Gradient of ReLU, rung 1: one thread computes one element.
//
// Forward: y = max(0, x). The slope is 1 where x is positive, and 0 where it is negative: dx[i] is dy[i] or nothing. At 0, where there is no
// slope, it is taken as 0.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: n, a comparison counted as one.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float relu_backward(float dy, float x) { return x <= 0 ? 0 : dy; }

__global__ void activation_relu_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = relu_backward(dy[i], x[i]);
}
