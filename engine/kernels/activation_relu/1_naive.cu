// ReLU, rung 1: one thread computes one element.
//
// y[i] = max(0, x[i]): what is negative becomes 0, all else stays. A NaN stays, too: it fails the comparison.
// No element needs another, so each has a thread of its own. The last block may reach beyond n; hence the test.
// One comparison for 8 bytes: the time is that of moving them.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: n, a comparison counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Nair and Hinton, "Rectified Linear Units Improve Restricted Boltzmann Machines", 2010.

__device__ float relu(float x) { return x < 0 ? 0 : x; }

__global__ void activation_relu_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = relu(x[i]);
}
