// Labels by an index, rung 1: one thread moves one label.
//
// y[i] = x[index[i]]: the labels of the examples that make up a batch. What is read lies anywhere, so that a warp may touch 32 sectors for 32
// labels; with a byte for each label it would be as many.
//
// A thread owns y[i]; a warp 32 neighbours.
// Launch: 1-D, any block; the grid covers n. Every index lies in [0, V).
// Bytes: 8 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of index and stores to y 4 sectors per request; loads of x up to 32, by the index.

__global__ void gather_labels_naive(const int* x, const int* index, int* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[index[i]];
}
