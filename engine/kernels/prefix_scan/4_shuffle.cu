// Prefix sum, rung 4: through registers, by shuffles.
//
// What changed: back to Hillis and Steele, but within a warp and in registers: each lane reads the one so many to its left; all lanes run
// anyway, so that the additions too many cost nothing. The warps' sums go through shared memory to the first warp, which scans them in
// the same five steps. Two barriers are left.
//
// A thread owns y[i]; a warp warp_sums[warp]; a block blockDim.x neighbours and block_sums[blockIdx.x].
// Launch: 1-D, blockDim.x a multiple of 32; the grid covers n. Then prefix_scan_shuffle_add with any block, where the first launch had
// several.
// Order: within a warp as in rung 1; the warps left of this one plus that; the blocks left of this one plus that.
// Bytes: 4 · n read and written, and once more by the third launch. Shared: 128. FLOPs: about 7 · n that count.
// Expected of a full warp: loads of x and y and stores to y 4 sectors per request; loads of scanned_sums 1; stores to block_sums 1;
// `warp_sums` 1 wavefront, loads and stores alike.
// Source: Harris and Garland, "Optimizing parallel prefix operations for the Fermi architecture", 2011; there without shuffles.

/// The sum of this lane's value and those of all lanes left of it.
__device__ float scan_of_warp(float sum, int lane) {
    for (int distance = 1; distance < 32; distance *= 2) {
        const float left = __shfl_up_sync(0xffffffff, sum, distance);
        if (lane >= distance) sum = left + sum;
    }
    return sum;
}

__global__ void prefix_scan_shuffle(const float* x, float* y, float* block_sums, int n) {
    __shared__ float warp_sums[32];
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;
    const int i = blockIdx.x * threads + t;

    // Load and scan, by each warp: beyond the end are zeros.
    float sum = scan_of_warp(i < n ? x[i] : 0, lane);
    if (lane == 31) warp_sums[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Scan of the warps' sums, by the first warp.
    if (warp == 0) {
        const float of_warps = scan_of_warp(lane < warps ? warp_sums[lane] : 0, lane);
        if (lane < warps) warp_sums[lane] = of_warps;
    }
    __syncthreads(); // the first warp wrote what the others read

    // Write, with what lies left of the warp.
    if (warp > 0) sum = warp_sums[warp - 1] + sum;
    if (i < n) y[i] = sum;
    if (t == threads - 1) block_sums[blockIdx.x] = sum;
}

/// What lies left of each block of the scan, which had so many elements.
__global__ void prefix_scan_shuffle_add(float* y, const float* scanned_sums, int n, int per_block) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= per_block && i < n) y[i] += scanned_sums[i / per_block - 1];
}
