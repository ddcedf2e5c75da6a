// Two threads that read the same count and write it back plus one have counted once.
//
// rung: histogram/1_global
// set: n=1000
// expect: race in bins

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int b = x[i];
    bins[b] += 1; // <- fault: race
}
