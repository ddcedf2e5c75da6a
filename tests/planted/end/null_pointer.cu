// A pointer that was never set.
//
// rung: copy/1_naive
// set: n=32
// block: 32
// expect: out-of-bounds

__global__ void copy_naive(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* to = nullptr;
    to[i] = x[i]; // <- fault: out-of-bounds
}
