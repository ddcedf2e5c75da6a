// Reversal, rung 3: each block through shared memory.
//
// What changed: a block reads its elements from left to right, turns them round in shared memory and writes them from left to right, at the
// mirrored place. On the first GPUs (compute capability 1.0 and 1.1) neighbours in any other order than the lanes' went one by one; this
// was the remedy. Today the sectors are those of rung 1, and the barrier comes on top: what remains is the pattern. Global memory is
// touched in order, and the disorder happens in shared memory, which does not mind.
//
// A thread owns x[i]; a block blockDim.x neighbours and the tile.
// Launch: 1-D, any block; the grid covers n. Dynamic shared memory: 4 · blockDim.x bytes.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, n a multiple of 8: loads of x and stores to y 4 sectors per request; `tile` 1 wavefront, loads and stores alike,
// for lanes in reverse order still have a bank each.

__global__ void reverse_shared(const float* x, float* y, int n) {
    extern __shared__ float tile[]; // [blockDim.x]
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;

    // Load: from left to right.
    if (i < n) tile[t] = x[i];
    __syncthreads(); // other threads loaded what this one writes out

    // Write: from left to right, so the first thread writes the block's last element.
    const int from = blockDim.x - 1 - t;
    const int j = blockIdx.x * blockDim.x + from; // where it was in x
    if (j < n) y[n - 1 - j] = tile[from];
}
