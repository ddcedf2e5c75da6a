// A grid-stride loop whose stride is the block's: every block goes over the rest of the array, too.
//
// rung: vector_add/2_grid_stride
// set: n=1000
// expect: race in c

__global__ void vector_add_grid_stride(const float* a, const float* b, float* c, int n) {
    const int stride = blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) c[i] = a[i] + b[i]; // <- fault: race
}
