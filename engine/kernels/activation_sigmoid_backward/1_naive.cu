// Gradient of the sigmoid, rung 1: one thread computes one element.
//
// Forward: y = σ(x) = 1 / (1 + exp(-x)). The slope is y · (1 - y), a quarter at most: whatever passes many sigmoids vanishes.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 6 · n, an exponential counted as one.
// Expected of a full warp: loads of dy and x and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float sigmoid_backward(float dy, float x) {
    const float y = 1 / (1 + expf(-x));
    return dy * y * (1 - y);
}

__global__ void activation_sigmoid_backward_naive(const float* dy, const float* x, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = sigmoid_backward(dy[i], x[i]);
}
