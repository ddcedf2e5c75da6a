// Bins counted from 1: the byte 255 counts beyond the last.
//
// rung: histogram/1_global
// set: n=4096
// expect: out-of-bounds in bins

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int b = x[i] + 1;
    atomicAdd(&bins[b], 1u); // <- fault: out-of-bounds
}
