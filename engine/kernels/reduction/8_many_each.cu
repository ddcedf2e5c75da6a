// Sum, rung 8: many elements for each thread.
//
// What changed: the grid stops growing. Each thread first adds up elements in steps of the whole grid, in a register, which takes one
// addition for each load and no one else; the tree, in which most threads wait, comes once for many elements instead of once for two.
//
// A thread owns every (gridDim.x · blockDim.x)-th element; a warp parts[warp]; a block y[blockIdx.x].
// Launch: 1-D, blockDim.x a multiple of 32, any grid.
// Order: a thread's elements one after the other, from 0; then as in rung 7.
// Bytes: 4 · n read, 4 for each block written. Shared: 128. FLOPs: n - 1 that count.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `parts` 1 wavefront, loads and stores alike.
// Source: Harris 2007, kernel 7; Luitjens 2014.

__global__ void reduction_many_each(const float* x, float* y, int n) {
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

    // Write.
    if (lane == 0) y[blockIdx.x] = sum;
}
