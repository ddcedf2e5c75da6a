// Gradient of the step, rung 1: one thread computes one element.
//
// Forward: y = 1 where x > 0, else 0. Backward: dx = 0 wherever y says 0 or 1, whatever dy is: the step is flat on both sides, and nothing can be
// learnt through it. A NaN of y stays.
//
// A thread owns dx[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: n, a comparison counted as one.
// Expected of a full warp: loads of y and dy and stores to dx 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float step_backward(float y, float dy) { return y == y ? 0 : y + dy; }

__global__ void activation_step_backward_naive(const float* y, const float* dy, float* dx, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dx[i] = step_backward(y[i], dy[i]);
}
