// Embedding, rung 2: a warp for each token.
//
// What changed: the lanes of a warp share a token and move neighbours of its row: 4 sectors for 128 bytes on both sides, wherever the row lies.
//
// A lane owns every 32nd element of a row; a warp owns the row y[t].
// Launch: blockDim = (32, tokens of the block), any number of tokens; the grid covers T. Every index lies in [0, V).
// Bytes: 4 · T · C read and 4 · T for the index, 4 · T · C written. FLOPs: none.
// Expected of a full warp: loads of table and stores to y 4 sectors per request; loads of index 1.

__global__ void embedding_warp(const float* table, const int* index, float* y, int T, int C) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    const float* from = table + index[t] * C;
    for (int c = threadIdx.x; c < C; c += 32) y[t * C + c] = from[c];
}
