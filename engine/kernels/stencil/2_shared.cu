// Stencil, rung 2: through shared memory, with a halo.
//
// What changed: a block reads what it needs once: its own elements and `radius` more on each side, the halo. Then each thread adds up its
// neighbours from shared memory. With 256 threads and radius 4 that is 264 elements read for 2,304 used.
//
// A thread owns y[i]; a block blockDim.x neighbours and the tile.
// Launch: 1-D, any block; the grid covers n. Dynamic shared memory: 4 · (blockDim.x + 2 · radius) bytes.
// Order: from left to right, from 0; zeros beyond the ends are added, too.
// Bytes: 4 · n read, and 8 · radius more for each block, 4 · n written. FLOPs: (2 · radius + 1) · n.
// Expected of a full warp: stores to y 4 sectors per request; `tile` 1 wavefront, loads and stores alike. Loads of x with radius 4 and
// 256 threads: 8 requests of 5 sectors, for they begin 4 elements before a multiple of 8, and one of 2 for the last eight elements: 42
// for 9 requests of a block. The first block's first request and the last one's last have one less, beyond the ends: 256 · 42 - 2 = 10,750
// sectors for 2,304 requests, 4.67 for each.

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
    for (int k = 0; k <= 2 * radius; ++k) sum += tile[t + k];
    y[first + t] = sum;
}

template __global__ void stencil_shared<1>(const float* x, float* y, int n);
template __global__ void stencil_shared<2>(const float* x, float* y, int n);
template __global__ void stencil_shared<3>(const float* x, float* y, int n);
template __global__ void stencil_shared<4>(const float* x, float* y, int n);
