// The way down the tree without a barrier: children are handed on before the parent has written them.
//
// rung: prefix_scan/2_blelloch
// set: n=256
// expect: race in scan
// schedules: differ

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
        const int left = distance * (2 * t + 1) - 1, right = left + distance;
        if (t < nodes) {
            const float sum_of_left = scan[left], before = scan[right]; // <- fault: race
            scan[left] = before; // <- fault: race
            scan[right] = before + sum_of_left; // <- fault: race
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
