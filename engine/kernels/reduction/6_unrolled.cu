// Sum, rung 6: no loop at all.
//
// What changed: the size of the block is a template parameter, so that the compiler knows every step. Steps too large for the block are
// not even compiled; what is left is a straight line, with no loop to count and no distance to compute.
//
// A thread owns two elements, `threads` apart, then sums[t] while t < distance; a block y[blockIdx.x], the sum of 2 · threads elements.
// Launch: 1-D, blockDim.x = threads, a power of two from 64 to 1024; the grid covers n, 2 · threads elements at a time.
// Order: as before.
// Bytes: 4 · n read, 4 for each block written. Shared: 4 · threads. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `sums` 1 wavefront, loads and stores alike; of 256 threads 25
// requests for loads of `sums`.
// Source: Harris 2007, kernel 6.

template <int threads>
__global__ void reduction_unrolled(const float* x, float* y, int n) {
    __shared__ float sums[threads];
    const int t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];
    sums[t] = sum;
    __syncthreads(); // here and below: other threads wrote what this one adds next

    // Sum, by the block: down to 64.
    if constexpr (threads >= 1024) {
        if (t < 512) sums[t] += sums[t + 512];
        __syncthreads();
    }
    if constexpr (threads >= 512) {
        if (t < 256) sums[t] += sums[t + 256];
        __syncthreads();
    }
    if constexpr (threads >= 256) {
        if (t < 128) sums[t] += sums[t + 128];
        __syncthreads();
    }
    if constexpr (threads >= 128) {
        if (t < 64) sums[t] += sums[t + 64];
        __syncthreads();
    }

    // Sum, by the first warp.
    if (t >= 32) return;
    sums[t] += sums[t + 32];
    __syncwarp(); // here and below: other lanes wrote what this one adds next
    if (t < 16) sums[t] += sums[t + 16];
    __syncwarp();
    if (t < 8) sums[t] += sums[t + 8];
    __syncwarp();
    if (t < 4) sums[t] += sums[t + 4];
    __syncwarp();
    if (t < 2) sums[t] += sums[t + 2];
    __syncwarp();
    if (t < 1) sums[t] += sums[t + 1];

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}

template __global__ void reduction_unrolled<64>(const float* x, float* y, int n);
template __global__ void reduction_unrolled<128>(const float* x, float* y, int n);
template __global__ void reduction_unrolled<256>(const float* x, float* y, int n);
template __global__ void reduction_unrolled<512>(const float* x, float* y, int n);
template __global__ void reduction_unrolled<1024>(const float* x, float* y, int n);
