// Prefix sum, rung 2: up a tree and down again.
//
// What changed: the work. On the way up pairs, pairs of pairs, … are added, as in a sum, and partial sums stay where they fall. Then the
// root is set to 0, and on the way down every node hands its value to its left child, and its value plus the left child's sum to its right
// one. Each leaf ends up with the sum of all leaves left of it; its own element added makes the inclusive sum. That takes about 2 · n
// additions for n elements, in twice as many steps. The nodes of a level lie 2, 4, 8, … words apart and meet in the same banks.
//
// A thread owns two elements, blockDim.x apart; a block 2 · blockDim.x neighbours and block_sums[blockIdx.x].
// Launch: 1-D, blockDim.x a power of two; the grid covers n, 2 · blockDim.x elements at a time. Dynamic shared memory: 8 · blockDim.x
// bytes. Then prefix_scan_blelloch_add with any block, where the first launch had several.
// Order: pairs as in the tree; what lies left of a node plus the sum of its left child; a leaf's left plus its element.
// Bytes: 4 · n read and written, and once more by the third launch. FLOPs: about 4 · n.
// Expected of a full warp: loads of x and y and stores to y 4 sectors per request; loads of scanned_sums 1; stores to block_sums 1. Of 128
// threads: 4, 2, 1, 1, 1, 1, 1, 1 warps go up through the levels, and down, with 2, 4, 8, 8, 8, 4, 2, 1 wavefronts per request, 47 for 12.
// Loads of `scan`: two on each level, 1 for the block's sum, 8 at the end: 57 requests, 197 wavefronts. Stores: 8 at the beginning, one on
// each level up and two down, 1 for the root's zero: 45 requests, 150 wavefronts.
// Source: Blelloch, "Prefix sums and their applications", 1990; Harris, Sengupta and Owens, "Parallel prefix sum (scan) with CUDA", 2007.

__global__ void prefix_scan_blelloch(const float* x, float* y, float* block_sums, int n) {
    extern __shared__ float scan[]; // [2 · blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x, elements = 2 * threads;
    const int i = blockIdx.x * elements + t, j = i + threads;

    // Load: beyond the end are zeros.
    const float x_i = i < n ? x[i] : 0, x_j = j < n ? x[j] : 0;
    scan[t] = x_i;
    scan[t + threads] = x_j;

    // Up: a level has `nodes` nodes, and the sums of their children lie `distance` apart.
    for (int nodes = threads, distance = 1; nodes > 0; nodes /= 2, distance *= 2) {
        __syncthreads(); // other threads wrote what this one adds
        const int left = distance * (2 * t + 1) - 1, right = left + distance;
        if (t < nodes) scan[right] += scan[left];
    }

    // The root: only thread 0 has touched it last.
    if (t == 0) {
        block_sums[blockIdx.x] = scan[elements - 1];
        scan[elements - 1] = 0;
    }

    // Down: what lies left of a node goes to its left child, and that plus the left child's sum to its right one.
    for (int nodes = 1, distance = threads; nodes <= threads; nodes *= 2, distance /= 2) {
        __syncthreads(); // other threads wrote what this one reads
        const int left = distance * (2 * t + 1) - 1, right = left + distance;
        if (t < nodes) {
            const float sum_of_left = scan[left], before = scan[right];
            scan[left] = before;
            scan[right] = before + sum_of_left;
        }
    }
    __syncthreads(); // other threads wrote what this one writes out

    // Write.
    if (i < n) y[i] = scan[t] + x_i;
    if (j < n) y[j] = scan[t + threads] + x_j;
}

/// What lies left of each block of the scan, which had so many elements.
__global__ void prefix_scan_blelloch_add(float* y, const float* scanned_sums, int n, int per_block) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= per_block && i < n) y[i] += scanned_sums[i / per_block - 1];
}
