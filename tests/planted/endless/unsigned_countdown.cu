// An unsigned number is never below 0: after 0 follows the largest.
//
// rung: vector_add/1_naive
// set: n=64
// block: 32
// budget: 1000000
// expect: endless

__global__ void vector_add_naive(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return; // the last block's threads beyond the end
    float sum = 0;
    for (unsigned k = 1; k >= 0; --k) // <- fault: endless
        if (k < 2) sum += k == 0 ? a[i] : b[i];
    c[i] = sum;
}
