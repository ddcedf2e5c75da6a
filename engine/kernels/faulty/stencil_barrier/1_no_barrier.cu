// Stencil through shared memory, rung 1: without the barrier.
//
// As stencil/2_shared, but nobody waits. Wrong: a thread adds up elements of the tile that threads of other warps load. A warp's own elements
// are there, for its lanes load together, one line before; those at its borders may not be.
//
// A thread owns y[i]; a block blockDim.x neighbours and the tile.
// Launch: 1-D, any block; the grid covers n. Dynamic shared memory: 4 · (blockDim.x + 2 · radius) bytes.
// Bytes: 4 · n read, and 8 · radius more for each block, 4 · n written. FLOPs: (2 · radius + 1) · n.

template <int radius>
__global__ void stencil_no_barrier(const float* x, float* y, int n) {
    extern __shared__ float tile[]; // [blockDim.x + 2 · radius]
    const int threads = blockDim.x, t = threadIdx.x;
    const int first = blockIdx.x * threads; // of the block's elements

    // Load: the block's elements and the halo on both sides; beyond the ends are zeros.
    for (int k = t; k < threads + 2 * radius; k += threads) {
        const int j = first - radius + k;
        tile[k] = j >= 0 && j < n ? x[j] : 0;
    }

    // Compute and write: tile[t + radius] is the thread's own element.
    if (first + t >= n) return;
    float sum = 0;
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k];
    y[first + t] = sum;
}

template __global__ void stencil_no_barrier<1>(const float* x, float* y, int n);
template __global__ void stencil_no_barrier<2>(const float* x, float* y, int n);
template __global__ void stencil_no_barrier<3>(const float* x, float* y, int n);
template __global__ void stencil_no_barrier<4>(const float* x, float* y, int n);
