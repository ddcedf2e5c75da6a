// Gradient of tanh, from its output, rung 1: one thread computes one element.
//
// Forward: y = tanh x. Backward: dx = dy · (1 - y²). The slope is written with y, which the forward pass has left in memory: no hyperbola is
// computed a second time, and x need not be kept.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 3 · n.
// Expected of a full warp: loads of y and dy and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float tanh_backward(float y, float dy) { return dy * (1 - y * y); }

__global__ void activation_tanh_backward_of_y_naive(const float* y, const float* dy, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = tanh_backward(y[i], dy[i]);
}
