// An integer is divided by zero, which a CPU does not let pass.
//
// rung: copy/1_naive
// set: n=32
// block: 32
// end: divided an integer by zero

__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i % (n / 64)]; // <- fault: end
}
