// Sigmoid and binary cross-entropy, rung 1: a thread for each element, one for the mean.
//
// p = 1 / (1 + e^-z) is how sure a model is of yes, y what is so. L = -1/n · Σ_i (y[i] · ln p[i] + (1 - y[i]) · ln(1 - p[i])). Written with z it is
// max(z, 0) - z · y + ln(1 + e^-|z|), in which nothing overflows where p is 0 or 1 in fp32.
//
// First launch: a thread owns p[i] and losses[i]. Second: one thread owns L; its sum is one chain, in double precision.
// Launch: 1-D, any block, the grid covers n; then one block.
// Bytes: 12 · n read, 8 · n written. FLOPs: 10 · n, an exponential and a logarithm counted as one each.
// Expected of a full warp: loads of z and y, stores to p and losses 4 sectors of 32 bytes per request; then n loads of losses, one by one.

/// The loss of one element: -(y ln p + (1 - y) ln(1 - p)), in a form in which no exponential overflows.
static __device__ float loss_of(float z, float y) { return fmaxf(z, 0.0f) - z * y + log1pf(expf(-fabsf(z))); }

__global__ void binary_cross_entropy_naive(const float* z, const float* y, float* p, float* losses, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    losses[i] = loss_of(z[i], y[i]);
    p[i] = 1 / (1 + expf(-z[i]));
}

__global__ void binary_cross_entropy_naive_mean(const float* losses, float* L, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += losses[i];
    *L = static_cast<float>(sum / n);
}
