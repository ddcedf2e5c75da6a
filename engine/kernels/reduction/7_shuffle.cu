// Sum, rung 7: through registers, by shuffles.
//
// What changed: lanes of a warp read each other's registers. Each warp adds up its 32 sums in five steps without shared memory and
// without a barrier; one word for each warp carries its sum to the first warp, which adds those up by the same five steps. One barrier is
// left, and the block need not be a power of two.
//
// A thread owns two elements, blockDim.x apart; a warp parts[warp]; a block y[blockIdx.x], the sum of 2 · blockDim.x elements.
// Launch: 1-D, blockDim.x a multiple of 32; the grid covers n, 2 · blockDim.x elements at a time.
// Order: a thread's two; in the warp lane l plus lane l + 16, then + 8, + 4, + 2, + 1; the warps' sums in the same way.
// Bytes: 4 · n read, 4 for each block written. Shared: 128. FLOPs: n - 1 that count.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `parts` 1 wavefront, loads and stores alike: of 256 threads 1
// request for loads of `parts` and 8 for stores.
// Source: Luitjens, "Faster parallel reductions on Kepler", 2014.

__global__ void reduction_shuffle(const float* x, float* y, int n) {
    __shared__ float parts[32]; // one for each warp
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Sum, by the first warp, of the warps' sums.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Write.
    if (lane == 0) y[blockIdx.x] = sum;
}
