// Sigmoid and binary cross-entropy, rung 2: a block for the mean.
//
// What changed: the second launch is a whole block. Each thread sums every blockDim.x-th loss, and the sums meet in shared memory, in the steps of a
// tree.
//
// First launch: a thread owns p[i] and losses[i]. Second: a thread owns every blockDim.x-th loss; thread 0 writes.
// Launch: both 1-D, blockDim.x a power of two; the grid of the first covers n, the second is one block. Dynamic shared memory of the second:
// 8 · blockDim.x bytes.
// Bytes: 12 · n read, 8 · n written. FLOPs: 10 · n, an exponential and a logarithm counted as one each.
// Expected of a full warp: loads of z and y, stores to p and losses 4 sectors per request; then n / 32 requests for losses.

/// The loss of one element: -(y ln p + (1 - y) ln(1 - p)), in a form in which no exponential overflows.
static __device__ float loss_of(float z, float y) { return fmaxf(z, 0.0f) - z * y + log1pf(expf(-fabsf(z))); }

__global__ void binary_cross_entropy_block(const float* z, const float* y, float* p, float* losses, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    losses[i] = loss_of(z[i], y[i]);
    p[i] = 1 / (1 + expf(-z[i]));
}

__global__ void binary_cross_entropy_block_mean(const float* losses, float* L, int n) {
    extern __shared__ double sums[]; // [blockDim.x]
    const int t = threadIdx.x, threads = blockDim.x;
    double sum = 0;
    for (int i = t; i < n; i += threads) sum += losses[i];
    sums[t] = sum;
    __syncthreads(); // other threads wrote the sums that this one adds
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }
    if (t == 0) *L = static_cast<float>(sums[0] / n);
}
