// FlashAttention forward: a block has 32 queries and goes over the keys in tiles of 32. Each query keeps the largest score so far, the sum of
// the exponentials for it, and its output for it.

constexpr int Br = 32; // queries of a block: rows of a tile
constexpr int Bc = 32; // keys of a tile: its columns, one for each lane

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

template <int D, int warps>
__global__ void attention_flash(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal) {
    constexpr int rows = Br / warps; // queries of a warp
    constexpr int parts = D / 32;    // dimensions of a lane: lane, lane + 32
    __shared__ float q_tile[Br][D], k_tile[Bc][D + 1], v_tile[Bc][D], p_tile[Br][Bc];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int head = blockIdx.y * T;         // its first row in Q, K, V and O
    const int first_query = blockIdx.x * Br; // of the block
    const int first_row = warp * rows;       // of the warp, in the tile

    // The queries, once; zeros beyond the last.
    for (int r = warp; r < Br; r += warps)
        for (int d = lane; d < D; d += 32) q_tile[r][d] = first_query + r < T ? scale * Q[(head + first_query + r) * D + d] : 0;

    float max[rows], sum[rows], o[rows][parts];
    for (int r = 0; r < rows; ++r) {
        max[r] = -INFINITY;
        sum[r] = 0;
        for (int part = 0; part < parts; ++part) o[r][part] = 0;
    }

    const int keys = causal ? min(first_query + Br, T) : T; // that some query of the block sees
    for (int first_key = 0; first_key < keys; first_key += Bc) {
        // Load the tile's keys and values; zeros beyond the last.
        for (int k = warp; k < Bc; k += warps)
            for (int d = lane; d < D; d += 32) {
                const bool inside = first_key + k < T;
                k_tile[k][d] = inside ? K[(head + first_key + k) * D + d] : 0;
                v_tile[k][d] = inside ? V[(head + first_key + k) * D + d] : 0;
            }
        __syncthreads(); // other warps loaded the queries, keys and values that this one reads

        // Scores: the lane's key with each query of the warp.
        float s[rows] = {};
        for (int d = 0; d < D; ++d) {
            const float k = k_tile[lane][d];
            for (int r = 0; r < rows; ++r) s[r] = fmaf(q_tile[first_row + r][d], k, s[r]);
        }

        // Probabilities, for the largest score so far. The first tile has a key that every query sees, so `larger` is a number.
        for (int r = 0; r < rows; ++r) {
            const int query = first_query + first_row + r, key = first_key + lane;
            if (key >= T || (causal && key > query)) s[r] = -INFINITY;
            const float larger = fmaxf(max[r], warp_max(s[r]));
            const float shrink = expf(max[r] - larger); // 0 in the first tile
            const float p = expf(s[r] - larger);
            max[r] = larger;
            sum[r] = fmaf(sum[r], shrink, warp_sum(p));
            // Yours: what has been added up of the output so far, o[r][0 … parts - 1], is for the old maximum.
            p_tile[first_row + r][lane] = p;
        }
        __syncwarp(); // other lanes wrote the probabilities that this one reads

        // Output: the lane's dimensions of all the tile's values.
        for (int k = 0; k < Bc; ++k)
            for (int part = 0; part < parts; ++part) {
                const float v = v_tile[k][part * 32 + lane];
                for (int r = 0; r < rows; ++r) o[r][part] = fmaf(p_tile[first_row + r][k], v, o[r][part]);
            }
        __syncthreads(); // the next tile overwrites keys, values and probabilities that others may still be reading
    }

    // Write: the output divided by its sum, and the logarithm of Σ exp(score).
    for (int r = 0; r < rows; ++r) {
        const int query = first_query + first_row + r;
        if (query >= T) break;
        if (lane == 0) L[head + query] = max[r] + logf(sum[r]);
        for (int part = 0; part < parts; ++part) O[(head + query) * D + part * 32 + lane] = o[r][part] / sum[r];
    }
}

template __global__ void attention_flash<32, 2>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_flash<32, 4>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_flash<32, 8>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_flash<64, 2>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_flash<64, 4>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_flash<64, 8>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
