// Gradient of the sigmoid, from its output, rung 1: one thread computes one element.
//
// Forward: y = 1 / (1 + e^-x). Backward: dx = dy · y · (1 - y). The slope is written with y, which the forward pass has left in memory: no
// exponential is computed a second time, and x need not be kept.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 3 · n.
// Expected of a full warp: loads of y and dy and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float sigmoid_backward(float y, float dy) { return dy * y * (1 - y); }

__global__ void activation_sigmoid_backward_of_y_naive(const float* y, const float* dy, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = sigmoid_backward(y[i], dy[i]);
}
