// 2 · radius neighbours and the element itself are one more than are added.
//
// rung: stencil/2_shared
// set: n=1000
// set: radius=2
// expect: wrong result in y

template <int radius>
__global__ void stencil_shared(const float* x, float* y, int n) {
    extern __shared__ float tile[]; // [blockDim.x + 2 · radius]
    const int threads = blockDim.x, t = threadIdx.x;
    const int first = blockIdx.x * threads; // of the block's elements

    // Load: the block's elements and the halo on both sides; beyond the ends are zeros.
    for (int k = t; k < threads + 2 * radius; k += threads) {
        const int j = first - radius + k;
        tile[k] = j >= 0 && j < n ? x[j] : 0;
    }
    __syncthreads(); // other threads loaded what this one adds

    // Compute and write: tile[t + radius] is the thread's own element.
    if (first + t >= n) return;
    float sum = 0;
    for (int k = 0; k < 2 * radius; ++k) sum += tile[t + k]; // <- fault: wrong result
    y[first + t] = sum;
}

template __global__ void stencil_shared<2>(const float* x, float* y, int n);
