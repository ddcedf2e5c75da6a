// Sum, rung 3: from the far half onto the near half.
//
// What changed: the tree is turned round. The distance begins at half a block and halves; thread t adds element t + distance to element t.
// Lanes touch neighbouring words, so no two meet in a bank, and the threads that work are still the first ones.
//
// A thread owns sums[t] while t < distance; a block y[blockIdx.x], the sum of blockDim.x elements.
// Launch: 1-D, blockDim.x a power of two; the grid covers n. Dynamic shared memory: 4 · blockDim.x bytes.
// Order: element t plus element t + blockDim.x / 2, these sums in the same way, …: another tree, as deep.
// Bytes: 4 · n read, 4 for each block written. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `sums` 1 wavefront, loads and stores alike. Of 256 threads: 4,
// 2, 1, 1, 1, 1, 1, 1 warps in the eight steps: 25 requests for loads of `sums`.
// Source: Harris 2007, kernel 3.

__global__ void reduction_sequential(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
