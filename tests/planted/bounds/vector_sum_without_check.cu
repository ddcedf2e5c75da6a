// The last block has more threads than there are elements left.
//
// rung: vector_add/1_naive
// set: n=1000
// expect: out-of-bounds in a

__global__ void vector_add_naive(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i]; // <- fault: out-of-bounds
}
