// Scan in place with one barrier for each step: a thread overwrites what its right neighbour is about to read.
//
// rung: prefix_scan/1_hillis_steele
// set: n=256
// expect: race in scan
// schedules: differ

__global__ void prefix_scan_hillis_steele(const float* x, float* y, float* block_sums, int n) {
    extern __shared__ float scan[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: beyond the end are zeros.
    scan[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Scan.
    for (int distance = 1; distance < threads; distance *= 2) {
        const float left = t >= distance ? scan[t - distance] : 0; // <- fault: race
        scan[t] += left; // <- fault: race
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
