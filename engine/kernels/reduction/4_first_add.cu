// Sum, rung 4: the first addition while loading.
//
// What changed: in rung 3 half of the threads never add anything after they have loaded. Now a block takes two elements for each thread,
// and every thread adds its two on the way to shared memory: half as many blocks for the same n.
//
// A thread owns two elements, blockDim.x apart, then sums[t] while t < distance; a block y[blockIdx.x], the sum of 2 · blockDim.x elements.
// Launch: 1-D, blockDim.x a power of two; the grid covers n, 2 · blockDim.x elements at a time. Dynamic shared memory: 4 · blockDim.x
// bytes.
// Order: the tree of rung 3, over twice as many elements.
// Bytes: 4 · n read, 4 for each block written. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `sums` 1 wavefront, loads and stores alike; of 256 threads 25
// requests for loads of `sums`, in half as many blocks.
// Source: Harris 2007, kernel 4.

__global__ void reduction_first_add(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];
    sums[t] = sum;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
