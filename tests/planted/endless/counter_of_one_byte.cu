// A counter of one byte never comes to 256: after 255 follows 0.
//
// rung: histogram/1_global
// set: n=32
// block: 32
// budget: 1000000
// expect: endless

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (unsigned char b = 0; b < 256; ++b) // all bins // <- fault: endless
        if (b == x[i]) atomicAdd(&bins[b], 1u);
}
