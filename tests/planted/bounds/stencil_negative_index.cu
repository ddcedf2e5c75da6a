// The first elements have no left neighbours: the index is negative.
//
// rung: stencil/1_global
// set: n=1000
// set: radius=2
// expect: out-of-bounds in x

template <int radius>
__global__ void stencil_global(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int from = i - radius, to = min(n - 1, i + radius);
    float sum = 0;
    for (int j = from; j <= to; ++j) sum += x[j]; // <- fault: out-of-bounds
    y[i] = sum;
}

template __global__ void stencil_global<2>(const float* x, float* y, int n);
