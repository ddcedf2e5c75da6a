// Embedding, rung 1: a thread for each token.
//
// y[t] = table[index[t]]: token t is replaced by its row of the table, C numbers that are learnt. No arithmetic, only moving. The index
// says where to read, so no one knows the addresses beforehand.
//
// A thread owns the row y[t]; it walks along it. The lanes of a warp write a whole row apart, 32 sectors of 32 bytes for 128 bytes, and read as
// many sectors as they have different tokens.
//
// Launch: 1-D, any block; the grid covers T. Every index lies in [0, V).
// Bytes: 4 · T · C read and 4 · T for the index, 4 · T · C written. FLOPs: none.
// Expected of a full warp: loads of index 4 sectors per request; stores to y 32; loads of table up to 32, by the tokens.

__global__ void embedding_naive(const float* table, const int* index, float* y, int T, int C) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= T) return;
    const float* from = table + index[t] * C;
    for (int c = 0; c < C; ++c) y[t * C + c] = from[c];
}
