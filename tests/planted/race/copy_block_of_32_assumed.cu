// The block is taken to have 32 threads; it has 256, and blocks overlap.
//
// rung: copy/1_naive
// set: n=4096
// expect: race in y

__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i]; // <- fault: race
}
