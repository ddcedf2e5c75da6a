// Gradient of the mean squared error, rung 1: one thread computes one element.
//
// Forward: L = 1/n · Σ_i (z[i] - y[i])². Backward: dz[i] = 2 · (z[i] - y[i]) / n: how far each prediction is off, as a share of the whole.
//
// A thread owns dz[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp: loads of z and y and stores to dz 4 sectors of 32 bytes per request; n / 32 requests for each.

__device__ float gradient(float z, float y, float scale) { return (z - y) * scale; }

__global__ void mean_squared_error_backward_naive(const float* z, const float* y, float* dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    dz[i] = gradient(z[i], y[i], 2.0f / n);
}
