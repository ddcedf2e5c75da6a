// `i > n` lets the thread n through, which has no element.
//
// rung: copy/1_naive
// set: n=1000
// expect: out-of-bounds in x

__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    y[i] = x[i]; // <- fault: out-of-bounds
}
