// A thread counts in a counter that another clears only afterwards.
//
// rung: histogram/2_shared
// set: n=1000
// expect: race in counts
// expect: uninitialised in counts
// schedules: differ

__global__ void histogram_shared_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_shared(const unsigned char* x, unsigned* bins, int n) {
    __shared__ unsigned counts[256];
    const int threads = blockDim.x, t = threadIdx.x;

    // Clear.
    for (int b = t; b < 256; b += threads) counts[b] = 0; // <- fault: race

    // Count.
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        const int b = x[i];
        atomicAdd(&counts[b], 1u); // <- fault: race, uninitialised
    }
    __syncthreads(); // other threads counted in what this one adds

    // Add.
    for (int b = t; b < 256; b += threads) atomicAdd(&bins[b], counts[b]);
}
