// Sum, rung 9: blocks add to one number.
//
// What changed: no second launch for the blocks' sums. Each block adds its own to y with an atomic, which is one read, addition and write
// that no other can come between. The price: blocks come in any order, floating-point addition rounds, and so the last bits may differ
// from run to run. (With integers they could not.) y must be zero before: a small launch of its own sees to that.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; a warp parts[warp]; no one owns y.
// Launch: first reduction_atomic_clear with one thread; then 1-D, blockDim.x a multiple of 32, any grid.
// Order: as in rung 8 within a block; over the blocks as they come.
// Bytes: 4 · n read, 4 written, 8 for each block's atomic. Shared: 128. FLOPs: n - 1 that count.
// Expected of a full warp: loads of x 4 sectors per request; atomics on y 1, by one lane of each block; `parts` 1 wavefront, loads and
// stores alike.

__global__ void reduction_atomic_clear(float* y) { y[0] = 0; }

__global__ void reduction_atomic(const float* x, float* y, int n) {
    __shared__ float parts[32]; // one for each warp
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;

    // Load: the thread's elements.
    float sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += x[i];

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Sum, by the first warp, of the warps' sums.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Add to what the other blocks add to.
    if (lane == 0) atomicAdd(y, sum);
}
