// Gradient of the embedding, rung 2: a thread for each column.
//
// What changed: a thread owns a column of dtable, and goes over all tokens in their order. No one else adds to its elements, so that a plain
// += will do, and every run gives the same bits. But there are only C threads, far too few for a GPU, each with T additions that wait for
// each other.
//
// A thread owns a column of dtable; a warp 32 neighbouring columns. The sums are in the order of the tokens, from 0.
// Launch: 1-D, any block; the grid covers C. Every index lies in [0, V).
// Bytes: 8 · T · C read (dy and the sums so far), and 4 · T for the index, by each warp; 4 · (V + T) · C written. FLOPs: T · C.
// Expected of a full warp: loads of dy, loads of and stores to dtable 4 sectors per request; loads of index 1.

__global__ void embedding_backward_column(const float* dy, const int* index, float* dtable, int V, int T, int C) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    for (int v = 0; v < V; ++v) dtable[v * C + c] = 0;
    for (int t = 0; t < T; ++t) dtable[index[t] * C + c] += dy[t * C + c];
}
