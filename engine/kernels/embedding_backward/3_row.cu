// Gradient of the embedding, rung 3: a block for each row of the table.
//
// What changed: a block owns a row of dtable, and looks through the index for its tokens. All rows are found side by side; a sum stays in a
// register, and dtable is written once. The bits are those of rung 2. The price: every row reads the whole index, V · T numbers, though from
// the cache. It is small beside T · C only where the vocabulary is; with 50 000 rows one sorts the tokens first.
//
// A thread owns every blockDim.x-th element of a row; a block owns the row dtable[v]. The sums are in the order of the tokens, from 0.
// Launch: 1-D, any block; one block for each row. Every index lies in [0, V).
// Bytes: 4 · T · C read, and 4 · T for the index, by each warp; 4 · V · C written. FLOPs: T · C.
// Expected of a full warp: loads of dy and stores to dtable 4 sectors per request; loads of index 1.

__global__ void embedding_backward_row(const float* dy, const int* index, float* dtable, int T, int C) {
    const int v = blockIdx.x; // < V
    for (int c = threadIdx.x; c < C; c += blockDim.x) {
        float sum = 0;
        for (int t = 0; t < T; ++t)
            if (index[t] == v) sum += dy[t * C + c]; // the same choice for all lanes
        dtable[v * C + c] = sum;
    }
}
