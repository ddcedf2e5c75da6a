// Sum, rung 10: warps add to one number.
//
// What changed: no shared memory and no barrier. Each warp adds its own sum to y, so that warps of a block do not wait for each other. The
// price: blockDim.x / 32 times as many atomics on one number, which go one after the other, and in which order they come is chance, within a
// block, too. The last bits of the sum may differ from run to run.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; no one owns y.
// Launch: first reduction_warp_atomic_clear with one thread; then 1-D, blockDim.x a multiple of 32, any grid.
// Order: as in rung 8 within a warp; over the warps as they come.
// Bytes: 4 · n read, 4 written, 8 for each warp's atomic. FLOPs: n - 1 that count.
// Expected of a full warp: loads of x 4 sectors per request; atomics on y 1, by one lane of each warp.

__global__ void reduction_warp_atomic_clear(float* y) { y[0] = 0; }

__global__ void reduction_warp_atomic(const float* x, float* y, int n) {
    const int threads = blockDim.x, t = threadIdx.x;

    // Load: the thread's elements.
    float sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += x[i];

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Add to what the other warps add to.
    if (t % 32 == 0) atomicAdd(y, sum);
}
