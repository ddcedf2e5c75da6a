// Prefix sum, rung 3: a word of padding after every 32.
//
// What changed: element k lies at k + k / 32. Nodes that lie 2, 4, 8, … words apart, and so would meet in a bank, are shifted by one
// bank more for each 32 words between them: no two lanes of a warp meet.
//
// A thread owns two elements, blockDim.x apart; a block 2 · blockDim.x neighbours and block_sums[blockIdx.x].
// Launch: 1-D, blockDim.x a power of two; the grid covers n, 2 · blockDim.x elements at a time. Dynamic shared memory: 8 · blockDim.x bytes
// and 4 more for every 32 elements. Then prefix_scan_padded_add with any block, where the first launch had several.
// Order: as before.
// Bytes: 4 · n read and written, and once more by the third launch. FLOPs: about 4 · n.
// Expected of a full warp: loads of x and y and stores to y 4 sectors per request; loads of scanned_sums 1; stores to block_sums 1; `scan`
// 1 wavefront, loads and stores alike.
// Source: Harris, Sengupta and Owens 2007.

/// Where element k lies.
__device__ int padded(int k) { return k + k / 32; }

__global__ void prefix_scan_padded(const float* x, float* y, float* block_sums, int n) {
    extern __shared__ float scan[]; // [padded(2 · blockDim.x)]
    const int threads = blockDim.x, t = threadIdx.x, elements = 2 * threads;
    const int i = blockIdx.x * elements + t, j = i + threads;

    // Load: beyond the end are zeros.
    const float x_i = i < n ? x[i] : 0, x_j = j < n ? x[j] : 0;
    scan[padded(t)] = x_i;
    scan[padded(t + threads)] = x_j;

    // Up: a level has `nodes` nodes, and the sums of their children lie `distance` apart.
    for (int nodes = threads, distance = 1; nodes > 0; nodes /= 2, distance *= 2) {
        __syncthreads(); // other threads wrote what this one adds
        const int left = padded(distance * (2 * t + 1) - 1), right = padded(distance * (2 * t + 2) - 1);
        if (t < nodes) scan[right] += scan[left];
    }

    // The root: only thread 0 has touched it last.
    const int root = padded(elements - 1);
    if (t == 0) {
        block_sums[blockIdx.x] = scan[root];
        scan[root] = 0;
    }

    // Down: what lies left of a node goes to its left child, and that plus the left child's sum to its right one.
    for (int nodes = 1, distance = threads; nodes <= threads; nodes *= 2, distance /= 2) {
        __syncthreads(); // other threads wrote what this one reads
        const int left = padded(distance * (2 * t + 1) - 1), right = padded(distance * (2 * t + 2) - 1);
        if (t < nodes) {
            const float sum_of_left = scan[left], before = scan[right];
            scan[left] = before;
            scan[right] = before + sum_of_left;
        }
    }
    __syncthreads(); // other threads wrote what this one writes out

    // Write.
    if (i < n) y[i] = scan[padded(t)] + x_i;
    if (j < n) y[j] = scan[padded(t + threads)] + x_j;
}

/// What lies left of each block of the scan, which had so many elements.
__global__ void prefix_scan_padded_add(float* y, const float* scanned_sums, int n, int per_block) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= per_block && i < n) y[i] += scanned_sums[i / per_block - 1];
}
