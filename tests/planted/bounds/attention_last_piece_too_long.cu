// The last piece has fewer keys than the others; nobody looks where they end.
//
// rung: attention_decode/2_split_k
// set: BH=1
// set: T=100
// set: D=32
// expect: out-of-bounds in K

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

    const int first_key = piece * piece_keys, end = first_key + piece_keys;
    for (int j = first_key; j < end; ++j) {
        // The score: each lane's dimensions, then all lanes'.
        float s = 0;
        for (int part = 0; part < parts; ++part) s = fmaf(mine[part], K[(head * T + j) * D + part * 32 + lane], s); // <- fault: out-of-bounds
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
