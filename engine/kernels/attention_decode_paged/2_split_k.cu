// Attention while decoding, paged KV cache, rung 2: the pages are split among warps.
//
// What changed: a warp takes some pages of a sequence's keys, so that one long sequence fills a GPU, and looks into the table once for each
// page. It goes over the keys with the softmax online: largest score so far, sum of exponentials for it, output for it. A second
// launch puts the pieces of a head together: it brings all sums and outputs to the largest maximum, as exp(maximum of the piece -
// largest), and adds. Rows of K are read by whole warps: 4 sectors for 128 bytes.
//
// First launch: a lane owns D / 32 dimensions: lane, lane + 32, …; a warp owns a piece, if the sequence is that long; a score is a sum over the
// lanes, by shuffles at distances 16, 8, 4, 2, 1; other sums are in the order of the keys. Second launch: a thread owns a dimension; a
// block a head of a sequence; sums are in the order of the pieces.
// Launch: first: blockDim = (32, warps), any number of warps; the grid covers pieces of the longest sequence in x, has heads in y, sequences in
// z; D is 32 or 64. Second: 1-D, any block; the grid has heads in x, sequences in y.
// FLOPs: (5 · D + 7) · H for each key of each sequence in the first launch, an exponential counted as one. Bytes asked of global memory:
// 8 · H · D for each key of each sequence, and the table; for each piece and head 4 · (D + 2) written and read again.
// Expected of a full warp: loads of q, K_pages and V_pages 4 sectors per request, of block_table and last 1; stores to and loads of part_o 4;
// stores to part_max and part_sum 1, by one lane, loads 1; stores to O 4.
// Source: Kwon et al. 2023, as in rung 1; Dao, Haziza, Massa and Sizov, "Flash-Decoding for long-context inference", 2023.

constexpr int page_keys = 16;

template <int D>
__global__ void attention_decode_paged_split(const float* q, const float* K_pages, const float* V_pages, const int* block_table,
                                             const int* last, float* part_max, float* part_sum, float* part_o, int table_columns,
                                             int pieces, int piece_pages, float scale) {
    constexpr int parts = D / 32; // dimensions of a lane
    const int lane = threadIdx.x;
    const int piece = blockIdx.x * blockDim.y + threadIdx.y;
    const int h = blockIdx.y, H = gridDim.y, b = blockIdx.z;
    const int keys = last[b] + 1;
    const int first_page = piece * piece_pages;    // of the sequence's, in the table
    if (first_page * page_keys >= keys) return;    // a whole warp together: the sequence is shorter

    float mine[parts], o[parts];
    for (int part = 0; part < parts; ++part) {
        mine[part] = q[(b * H + h) * D + part * 32 + lane];
        o[part] = 0;
    }
    float max = -INFINITY, sum = 0;

    for (int page = first_page; page < first_page + piece_pages && page * page_keys < keys; ++page) {
        const int first_row = block_table[b * table_columns + page] * page_keys; // where the page lies
        const int rows = min(keys - page * page_keys, page_keys);                // that are filled
        for (int row = first_row; row < first_row + rows; ++row) {
            // The score: each lane's dimensions, then all lanes'.
            float s = 0;
            for (int part = 0; part < parts; ++part) s = fmaf(mine[part], K_pages[(row * H + h) * D + part * 32 + lane], s);
            for (int distance = 16; distance > 0; distance /= 2) s += __shfl_xor_sync(0xffffffff, s, distance);
            s *= scale;

            // Sum and output, for the new maximum; before the first key exp(-INFINITY) = 0.
            const float larger = fmaxf(max, s);
            const float shrink = expf(max - larger);
            const float p = expf(s - larger);
            max = larger;
            sum = fmaf(sum, shrink, p);
            for (int part = 0; part < parts; ++part) o[part] = fmaf(p, V_pages[(row * H + h) * D + part * 32 + lane], o[part] * shrink);
        }
    }

    // The piece's part of the result.
    const int result = (b * H + h) * pieces + piece;
    for (int part = 0; part < parts; ++part) part_o[result * D + part * 32 + lane] = o[part];
    if (lane == 0) {
        part_max[result] = max;
        part_sum[result] = sum;
    }
}

__global__ void attention_decode_paged_combine(const float* part_max, const float* part_sum, const float* part_o, const int* last, float* O,
                                               int pieces, int piece_pages, int D) {
    const int b = blockIdx.y, row = b * gridDim.x + blockIdx.x; // of q and O
    const int filled = last[b] / (piece_pages * page_keys) + 1; // pieces that the sequence reaches into
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float max = -INFINITY;
        for (int piece = 0; piece < filled; ++piece) max = fmaxf(max, part_max[row * pieces + piece]);
        float sum = 0, o = 0;
        for (int piece = 0; piece < filled; ++piece) {
            const int part = row * pieces + piece;
            const float shrink = expf(part_max[part] - max);
            sum = fmaf(part_sum[part], shrink, sum);
            o = fmaf(part_o[part * D + d], shrink, o);
        }
        O[row * D + d] = o / sum;
    }
}

template __global__ void attention_decode_paged_split<32>(const float* q, const float* K_pages, const float* V_pages, const int* block_table,
                                                          const int* last, float* part_max, float* part_sum, float* part_o,
                                                          int table_columns, int pieces, int piece_pages, float scale);
template __global__ void attention_decode_paged_split<64>(const float* q, const float* K_pages, const float* V_pages, const int* block_table,
                                                          const int* last, float* part_max, float* part_sum, float* part_o,
                                                          int table_columns, int pieces, int piece_pages, float scale);
