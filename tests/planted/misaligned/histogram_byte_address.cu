// A bin's number is taken for its address in bytes.
//
// rung: histogram/1_global
// set: n=1000
// expect: misaligned in bins

__global__ void histogram_global_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_global(const unsigned char* x, unsigned* bins, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int b = x[i];
    atomicAdd(reinterpret_cast<unsigned*>(reinterpret_cast<char*>(bins) + b), 1u); // <- fault: misaligned
}
