// char is signed here: bytes from 128 on are negative bins.
//
// rung: histogram/1_global
// set: n=1000
// expect: out-of-bounds in bins

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int b = static_cast<signed char>(x[i]);
    atomicAdd(&bins[b], 1u); // <- fault: out-of-bounds
}
