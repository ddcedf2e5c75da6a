// Attention while decoding, rung 2: the keys are split among warps.
//
// What changed: a warp takes a piece of a head's keys, so that one long sequence fills a GPU. It goes over them with the softmax online, as
// FlashAttention does: largest score so far, sum of exponentials for it, output for it. What it ends with is the attention to its
// piece alone. A second launch puts the pieces of a head together: it brings all sums and outputs to the largest maximum, as
// exp(maximum of the piece - largest), and adds. K is read as it lies, a row by a warp: 4 sectors for 128 bytes.
//
// First launch: a lane owns D / 32 dimensions: lane, lane + 32, …; a warp owns a piece; a score is a sum over the lanes, by shuffles at
// distances 16, 8, 4, 2, 1; other sums are in the order of the keys. Second launch: a thread owns a dimension; a block a head; sums are
// in the order of the pieces.
// Launch: first: blockDim = (32, warps), any number of warps; the grid covers pieces in x, heads in y; D is 32, 64 or 128. Second: 1-D, any
// block; one block for each head.
// FLOPs: BH · T · (5 · D + 7) in the first launch, an exponential counted as one. Bytes asked of global memory: 8 · BH · T · D read; for each
// piece 4 · (D + 2) written and read again.
// Expected of a full warp: loads of q, K and V 4 sectors per request; stores to and loads of part_o 4; stores to part_max and part_sum 1, by one
// lane, loads 1; stores to O 4.
// Source: Dao, Haziza, Massa and Sizov, "Flash-Decoding for long-context inference", 2023.

template <int D>
__global__ void attention_decode_split(const float* q, const float* K, const float* V, float* part_max, float* part_sum, float* part_o,
                                       int T, int pieces, int piece_keys, float scale) {
    constexpr int parts = D / 32; // dimensions of a lane
    const int lane = threadIdx.x;
    const int piece = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y;
    if (piece >= pieces) return; // a whole warp together

    float mine[parts], o[parts];
    for (int part = 0; part < parts; ++part) {
        mine[part] = q[head * D + part * 32 + lane];
        o[part] = 0;
    }
    float max = -INFINITY, sum = 0;

    const int first_key = piece * piece_keys, end = min(first_key + piece_keys, T);
    for (int j = first_key; j < end; ++j) {
        // The score: each lane's dimensions, then all lanes'.
        float s = 0;
        for (int part = 0; part < parts; ++part) s = fmaf(mine[part], K[(head * T + j) * D + part * 32 + lane], s);
        for (int distance = 16; distance > 0; distance /= 2) s += __shfl_xor_sync(0xffffffff, s, distance);
        s *= scale;

        // Sum and output, for the new maximum; before the first key exp(-INFINITY) = 0.
        const float larger = fmaxf(max, s);
        const float shrink = expf(max - larger);
        const float p = expf(s - larger);
        max = larger;
        sum = fmaf(sum, shrink, p);
        for (int part = 0; part < parts; ++part) o[part] = fmaf(p, V[(head * T + j) * D + part * 32 + lane], o[part] * shrink);
    }

    // The piece's part of the result.
    const int row = head * pieces + piece;
    for (int part = 0; part < parts; ++part) part_o[row * D + part * 32 + lane] = o[part];
    if (lane == 0) {
        part_max[row] = max;
        part_sum[row] = sum;
    }
}

__global__ void attention_decode_combine(const float* part_max, const float* part_sum, const float* part_o, float* O, int pieces, int D) {
    const int head = blockIdx.x;
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float max = -INFINITY;
        for (int piece = 0; piece < pieces; ++piece) max = fmaxf(max, part_max[head * pieces + piece]);
        float sum = 0, o = 0;
        for (int piece = 0; piece < pieces; ++piece) {
            const int row = head * pieces + piece;
            const float shrink = expf(part_max[row] - max);
            sum = fmaf(part_sum[row], shrink, sum);
            o = fmaf(part_o[row * D + d], shrink, o);
        }
        O[head * D + d] = o / sum;
    }
}

template __global__ void attention_decode_split<32>(const float* q, const float* K, const float* V, float* part_max, float* part_sum,
                                                    float* part_o, int T, int pieces, int piece_keys, float scale);
template __global__ void attention_decode_split<64>(const float* q, const float* K, const float* V, float* part_max, float* part_sum,
                                                    float* part_o, int T, int pieces, int piece_keys, float scale);
template __global__ void attention_decode_split<128>(const float* q, const float* K, const float* V, float* part_max, float* part_sum,
                                                     float* part_o, int T, int pieces, int piece_keys, float scale);
