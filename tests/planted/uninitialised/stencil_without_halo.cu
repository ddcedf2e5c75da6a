// Every thread loads its own element, and nobody the halo on both sides.
//
// rung: stencil/2_shared
// set: n=1000
// set: radius=2
// expect: uninitialised in tile

template <int radius>
__global__ void stencil_shared(const float* x, float* y, int n) {
    extern __shared__ float tile[]; // [blockDim.x + 2 · radius]
    const int threads = blockDim.x, t = threadIdx.x;
    const int first = blockIdx.x * threads; // of the block's elements

    // Load: the block's elements and the halo on both sides; beyond the ends are zeros.
    tile[t + radius] = first + t < n ? x[first + t] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Compute and write: tile[t + radius] is the thread's own element.
    if (first + t >= n) return;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k]; // <- fault: uninitialised
    y[first + t] = sum;
}

template __global__ void stencil_shared<2>(const float* x, float* y, int n);
