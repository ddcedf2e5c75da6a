// Stencil through shared memory: y[i] is the sum of x[i - radius] to x[i + radius], zeros beyond the ends.
//
// A block reads what it needs once: its own elements and `radius` more on each side, the halo. Then each thread adds up its neighbours
// from the tile.

template <int radius>
__global__ void stencil_shared(const float* x, float* y, int n) {
    extern __shared__ float tile[]; // [blockDim.x + 2 · radius]
    const int threads = blockDim.x, t = threadIdx.x;
    const int first = blockIdx.x * threads; // of the block's elements

    // Load: the block's own elements; beyond the end are zeros.
    tile[radius + t] = first + t < n ? x[first + t] : 0;

    // Yours: the load of the two halos, tile[0 … radius - 1] and tile[radius + threads … threads + 2 * radius - 1], with zeros beyond the
    // ends of x; and what all have to wait for.


    // Compute and write: tile[t + radius] is the thread's own element.
    if (first + t >= n) return;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k];
    y[first + t] = sum;
}

template __global__ void stencil_shared<1>(const float* x, float* y, int n);
template __global__ void stencil_shared<2>(const float* x, float* y, int n);
template __global__ void stencil_shared<3>(const float* x, float* y, int n);
template __global__ void stencil_shared<4>(const float* x, float* y, int n);
