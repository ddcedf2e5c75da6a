// Step, rung 1: one thread computes one element.
//
// y[i] = 1 where x[i] > 0, else 0: the first artificial neurons answered so, yes or no. A NaN stays, as it passes neither test.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n.
// Bytes: 4 · n read, 4 · n written. FLOPs: n, a comparison counted as one.
// Expected of a full warp: loads of x and stores to y 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: McCulloch and Pitts, "A Logical Calculus of the Ideas Immanent in Nervous Activity", 1943.

__device__ float step(float x) { return x > 0 ? 1 : x <= 0 ? 0 : x; }

__global__ void activation_step_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = step(x[i]);
}
