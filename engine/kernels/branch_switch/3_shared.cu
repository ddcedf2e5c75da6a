// Branch of k ways, rung 3: by the warp, out of shared memory.
//
// What changed: the block brings 32 · k neighbours to shared memory, coalesced. There its warps take the elements of one way each, k apart,
// which costs no sectors; and coalesced they go back. A word of padding after every 32 keeps lanes that are 8 words apart from meeting in
// the same banks.
//
// A thread owns an element of each way that its warp takes; a warp ways `warp`, `warp` + warps, …; a block 32 · k neighbours and the tile.
// Launch: 1-D, blockDim.x a multiple of 32, best 32 · k; the grid covers n, 32 · k at a time. Dynamic shared memory: 132 · k bytes.
// Bytes: 4 · n read, 4 · n written. FLOPs: about n.
// Expected of a full warp with k = 8: loads of x and stores to y 4 sectors per request; `tile` 1 wavefront, loads and stores alike. Active
// lanes: 32.

/// The function of that number.
__device__ float apply(int way, float v) {
    switch (way) {
    case 0: return fmaf(v, 0.5f, 0.25f);
    case 1: return v * v;
    case 2: return sqrtf(v);
    case 3: return 1 / (1 + v);
    case 4: return fmaf(v, v, v);
    case 5: return fmaxf(v, 0.5f);
    case 6: return 1 - v;
    default: return v;
    }
}

/// Where element j lies in the tile.
__device__ int padded(int j) { return j + j / 32; }

__global__ void branch_switch_shared(const float* x, float* y, int n, int k) {
    extern __shared__ float tile[]; // [padded(32 · k)]
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;
    const int first = blockIdx.x * 32 * k; // of the block's elements, a multiple of k

    // Load.
    for (int j = t; j < 32 * k; j += threads)
        if (first + j < n) tile[padded(j)] = x[first + j];
    __syncthreads(); // other threads loaded what this one computes with

    // Compute: in place, each element by one thread.
    for (int way = warp; way < k; way += warps) {
        const int j = k * lane + way; // j mod k is the warp's way
        if (first + j < n) tile[padded(j)] = apply(way, tile[padded(j)]);
    }
    __syncthreads(); // other threads computed what this one writes out

    // Write.
    for (int j = t; j < 32 * k; j += threads)
        if (first + j < n) y[first + j] = tile[padded(j)];
}
