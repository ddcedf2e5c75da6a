// Gradient of the embedding, rung 1: every token adds to its row by atomics.
//
// Forward: y[t] = table[index[t]]. A row of the table was read by every token that names it, and gets the gradients of them all:
//     dtable[v] = Σ dy[t] over the t with index[t] = v
// Two tokens of one row may add at the same time. With a plain += each would read the old sum, and one of the two additions be lost; an atomic
// reads, adds and writes with none other in between. Which of them comes first is left to chance, and as fp32 sums are rounded, so are the
// last bits: two runs may differ.
//
// A lane owns every 32nd element of dy[t]; a warp owns the token t; no one owns dtable.
// Launch: first embedding_backward_atomic_clear, 1-D, any block, the grid covers V · C; then blockDim = (32, tokens of the block), any number of
// tokens; the grid covers T. Every index lies in [0, V).
// Bytes: 4 · T · C read and 4 · T for the index; 4 · V · C written; an atomic of 8 bytes for each element of dy. FLOPs: T · C.
// Expected of a full warp: loads of dy and atomics on dtable 4 sectors of 32 bytes per request, as stores to it; loads of index 1.

__global__ void embedding_backward_atomic_clear(float* dtable, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dtable[i] = 0;
}

__global__ void embedding_backward_atomic(const float* dy, const int* index, float* dtable, int T, int C) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    float* to = dtable + index[t] * C;
    for (int c = threadIdx.x; c < C; c += 32) atomicAdd(&to[c], dy[t * C + c]);
}
