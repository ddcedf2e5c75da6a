// The loop has no way out. Nothing in it asks the interpreter for anything, so the clock finds it.
//
// rung: copy/1_naive
// set: n=256
// budget: 1000000000000
// at most: 2000 ms
// expect: endless

__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    volatile int going = 1;
    while (going) {} // <- fault: endless
    y[i] = x[i];
}
