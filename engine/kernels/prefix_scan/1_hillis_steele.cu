// Prefix sum, rung 1: every element adds one from the left, twice as far away in each step.
//
// y[i] = x[0] + … + x[i]. As a loop, y[i] = y[i - 1] + x[i] cannot give each iteration a thread of its own: each waits for the one before.
// Here, after a step at distance d, element t holds the sum of the 2 · d elements that end at t; log₂ steps do it for a block. That takes
// about n · log₂ n additions where the loop takes n.
//
// More than one block: each block scans its part and leaves its sum; the sums are scanned by a second launch of the same kernel; a third
// launch adds to each block what lies left of it. (Sums of more than one block are themselves scanned so.)
//
// A thread owns y[i]; a block blockDim.x neighbours and block_sums[blockIdx.x].
// Launch: 1-D, any block; the grid covers n. Dynamic shared memory: 4 · blockDim.x bytes. Then prefix_scan_hillis_steele_add with any
// block, where the first launch had several.
// Order: the sum of d elements on the left plus the sum of d elements on the right; then the blocks left of this one plus that.
// Bytes: 4 · n read and written, and once more by the third launch. FLOPs: about n · log₂(blockDim.x) + n.
// Expected of a full warp: loads of x and y and stores to y 4 sectors per request; loads of scanned_sums by the third launch 1, all lanes
// read the same; stores to block_sums 1, by one thread; `scan` 1 wavefront, loads and stores alike.
// Source: Hillis and Steele, "Data parallel algorithms", 1986.

__global__ void prefix_scan_hillis_steele(const float* x, float* y, float* block_sums, int n) {
    extern __shared__ float scan[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: beyond the end are zeros.
    scan[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Scan.
    for (int distance = 1; distance < threads; distance *= 2) {
        const float left = t >= distance ? scan[t - distance] : 0;
        __syncthreads(); // other threads have read what this one overwrites
        scan[t] += left;
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (i < n) y[i] = scan[t];
    if (t == threads - 1) block_sums[blockIdx.x] = scan[t];
}

/// What lies left of each block of the scan, which had so many elements.
__global__ void prefix_scan_hillis_steele_add(float* y, const float* scanned_sums, int n, int per_block) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= per_block && i < n) y[i] += scanned_sums[i / per_block - 1];
}
