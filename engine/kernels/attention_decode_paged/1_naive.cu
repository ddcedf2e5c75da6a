// Attention while decoding, paged KV cache, rung 1: a block for each query.
//
// B sequences of different lengths are written at the same time. A cache of T rows for each would stand mostly empty, and be too small for
// the next. So the cache is cut into pages of 16 keys each, for all H heads, as an operating system cuts memory: a sequence takes a
// page when it needs one, wherever one is free, and its row of the block table says where they are: key j of sequence b lies in row
// j % 16 of page block_table[b][j / 16]. Two sequences that begin with the same tokens can share pages. Otherwise as in the ladder of the cache
// in one piece: O = Σ_j softmax_j(scale · q · K[j]) · V[j] over the keys j <= last[b].
//
// A block owns a head of a sequence. First a thread takes a key and makes its score, in shared memory. Then a thread takes a dimension; it
// finds the maximum and the sum for itself, as all others do too. Sums are chains in the order of d or of the keys.
//
// Launch: 1-D, any block; the grid has heads in x, sequences in y; dynamic shared memory for a float for each key of the longest sequence.
// FLOPs: 8 · H · D for each key of each sequence. Bytes asked of global memory: 12 · H · D for each key of each sequence, and the table.
// Expected of a full warp: loads of q 1 sector per request, of block_table and last 1, of K_pages 32 (rows of a page lie H · D apart; the last
// keys of a sequence do not fill a warp), of V_pages 4; stores to O 4; `scores` 1 wavefront, stores and loads alike.
// Source: Kwon et al., "Efficient Memory Management for Large Language Model Serving with PagedAttention", 2023.

constexpr int page_keys = 16;

__global__ void attention_decode_paged_naive(const float* q, const float* K_pages, const float* V_pages, const int* block_table,
                                             const int* last, float* O, int table_columns, int D, float scale) {
    extern __shared__ float scores[]; // one for each key
    const int h = blockIdx.x, H = gridDim.x, b = blockIdx.y;
    const int* pages = block_table + b * table_columns;
    const int row = b * H + h; // in q and O
    const int keys = last[b] + 1;

    // Scores: a thread for each key.
    for (int j = threadIdx.x; j < keys; j += blockDim.x) {
        const float* k = K_pages + ((pages[j / page_keys] * page_keys + j % page_keys) * H + h) * D;
        float s = 0;
        for (int d = 0; d < D; ++d) s = fmaf(q[row * D + d], k[d], s);
        scores[j] = scale * s;
    }
    __syncthreads(); // other threads wrote the scores that this one reads

    // Output: a thread for each dimension.
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float max = -INFINITY;
        for (int j = 0; j < keys; ++j) max = fmaxf(max, scores[j]);
        float sum = 0, o = 0;
        for (int j = 0; j < keys; ++j) {
            const float* v = V_pages + ((pages[j / page_keys] * page_keys + j % page_keys) * H + h) * D;
            const float p = expf(scores[j] - max);
            sum += p;
            o = fmaf(p, v[d], o);
        }
        O[row * D + d] = o / sum;
    }
}
