// Gradients of attention, rung 2: FlashAttention, backward. Probabilities are made again, tile by tile.
//
// What changed: nothing of T² numbers is stored. The forward pass keeps O and, for each query, L = log Σ_j exp(S[i][j]); with L, a tile of
// probabilities is made again from tiles of Q and K, without any search for a maximum: P = exp(S - L). And
//     delta[i] = Σ_j P[i][j] · dP[i][j] = Σ_j P[i][j] · Σ_d dO[i][d] · V[j][d] = Σ_d dO[i][d] · O[i][d]
// is a sum over D, made once before. A tile of S, P, dP and dS lives in the block, and serves (names as in rung 1):
//     dV += Pᵀ · dO,  dK += dSᵀ · (scale · Q)  for the tile's keys: sums down the queries, in a launch whose blocks own 32 keys;
//     dQ += dS · (scale · K)                    for the tile's queries: sums along the keys, in a launch whose blocks own 32 queries.
// In one launch for all, the blocks of 32 keys would have to add to the same dQ, with atomics, in another order each time. Two launches make
// each tile twice instead, and give the same bits at each run.
//
// Four launches: `forward` stands for the forward pass, as a ladder begins with its inputs; a training step has O and L already. `delta`;
// `dkdv`; `dq`. The last two are built like the forward pass of FlashAttention: a warp owns 32 / warps rows of the tile; for S and dP a lane is
// a column of the tile; for the products a lane is D / 32 dimensions; in between P and dS go through shared memory.
//
// Sums are in the order of d, or of the queries, or of the keys; where a warp adds up lanes, by shuffles at distances 16, 8, 4, 2, 1.
// Launch: forward, delta: blockDim = (32, queries of the block), any number of queries; the grid covers the queries of all heads. dkdv, dq:
// blockDim = (32, warps), 2, 4 or 8 warps; the grid covers keys, or queries, in x, 32 at a time, and heads in y. D is 32 or 64.
// FLOPs beside the forward pass: 14 · BH · T² · D, as S and dP are made twice, rung 1 has 10; about half with `causal`.
// Traffic of global memory, with N = T, d = D and tiles of 32: in dkdv 4 N d + 2 N d · ⌈N / 32⌉ elements for each head (K, V, dK and dV once, Q
// and dO once for every column of tiles), in dq 3 N d + 2 N d · ⌈N / 32⌉. Shared: 24.3 KiB with D = 32, 40.3 with D = 64.
// Expected of a full warp: loads of Q, K, V and dO, stores to and loads of O, stores to dQ, dK and dV 4 sectors per request; stores to L and
// delta 1, by one lane; loads of L and delta 4 in dkdv, where a lane has a query, and 1 in dq, where a warp has: 1.6 on average with T = 64
// and 4 warps; all of shared memory 1 wavefront: what the lanes read down a column is padded, the rest they read along a row, or one
// word all together.
// Source: Dao, Fu, Ermon, Rudra and Ré, "FlashAttention", 2022; Dao, "FlashAttention-2", 2023.

constexpr int Br = 32; // queries of a tile
constexpr int Bc = 32; // keys of a tile

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

/// Stands for the forward pass: a warp owns a query, a lane D / 32 dimensions; softmax online.
template <int D>
__global__ void attention_backward_flash_forward(const float* Q, const float* K, const float* V, float* O, float* L, int BH, int T,
                                                 float scale, int causal) {
    constexpr int parts = D / 32;
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y; // a query of some head
    if (row >= BH * T) return;                             // a whole warp together
    const int query = row % T, head = row - query;
    float q[parts], o[parts] = {};
    for (int part = 0; part < parts; ++part) q[part] = scale * Q[row * D + part * 32 + lane];
    float max = -INFINITY, sum = 0;
    for (int key = head; key < (causal ? row + 1 : head + T); ++key) {
        float s = 0;
        for (int part = 0; part < parts; ++part) s = fmaf(q[part], K[key * D + part * 32 + lane], s);
        s = warp_sum(s);
        const float larger = fmaxf(max, s), shrink = expf(max - larger), p = expf(s - larger);
        max = larger;
        sum = fmaf(sum, shrink, p);
        for (int part = 0; part < parts; ++part) o[part] = fmaf(p, V[key * D + part * 32 + lane], o[part] * shrink);
    }
    for (int part = 0; part < parts; ++part) O[row * D + part * 32 + lane] = o[part] / sum;
    if (lane == 0) L[row] = max + logf(sum);
}

/// delta[i] = Σ_d dO[i][d] · O[i][d]: a warp owns a query.
__global__ void attention_backward_flash_delta(const float* O, const float* dO, float* delta, int BH, int T, int D) {
    const int lane = threadIdx.x;
    const int row = blockIdx.x * blockDim.y + threadIdx.y; // a query of some head
    if (row >= BH * T) return;                             // a whole warp together
    float sum = 0;
    for (int d = lane; d < D; d += 32) sum = fmaf(dO[row * D + d], O[row * D + d], sum);
    sum = warp_sum(sum);
    if (lane == 0) delta[row] = sum;
}

/// dK and dV: a block owns 32 keys, a warp 32 / warps of them, and goes over the tiles of queries that see them.
template <int D, int warps>
__global__ void attention_backward_flash_dkdv(const float* Q, const float* K, const float* V, const float* dO, const float* L,
                                              const float* delta, float* dK, float* dV, int T, float scale, int causal) {
    constexpr int rows = Bc / warps; // keys of a warp
    constexpr int parts = D / 32;    // dimensions of a lane: lane, lane + 32
    __shared__ float k_tile[Bc][D], v_tile[Bc][D], q_tile[Br][D + 1], do_tile[Br][D + 1];
    __shared__ float p_tile[Bc][Br], ds_tile[Bc][Br]; // turned: a row for each key
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int head = blockIdx.y * T; // its first row in the matrices
    const int first_key = blockIdx.x * Bc, first_row = warp * rows;

    // The keys and values, once; zeros beyond the last.
    for (int k = warp; k < Bc; k += warps)
        for (int d = lane; d < D; d += 32) {
            const bool inside = first_key + k < T;
            k_tile[k][d] = inside ? K[(head + first_key + k) * D + d] : 0;
            v_tile[k][d] = inside ? V[(head + first_key + k) * D + d] : 0;
        }

    float dk[rows][parts] = {}, dv[rows][parts] = {};
    for (int first_query = causal ? first_key : 0; first_query < T; first_query += Br) {
        // Load the tile's queries and what comes back to them; zeros beyond the last.
        for (int q = warp; q < Br; q += warps)
            for (int d = lane; d < D; d += 32) {
                const bool inside = first_query + q < T;
                q_tile[q][d] = inside ? scale * Q[(head + first_query + q) * D + d] : 0;
                do_tile[q][d] = inside ? dO[(head + first_query + q) * D + d] : 0;
            }
        const int query = first_query + lane; // the lane's, in the tile
        const float l = query < T ? L[head + query] : 0, dlt = query < T ? delta[head + query] : 0;
        __syncthreads(); // other warps loaded the tiles that this one reads

        // S and dP: the lane's query with each key of the warp.
        float s[rows] = {}, dp[rows] = {};
        for (int d = 0; d < D; ++d) {
            const float q = q_tile[lane][d], from_o = do_tile[lane][d];
            for (int r = 0; r < rows; ++r) {
                s[r] = fmaf(k_tile[first_row + r][d], q, s[r]);
                dp[r] = fmaf(v_tile[first_row + r][d], from_o, dp[r]);
            }
        }

        // P and dS; zeros where the query does not see the key.
        for (int r = 0; r < rows; ++r) {
            const bool seen = query < T && !(causal && first_key + first_row + r > query);
            const float p = seen ? expf(s[r] - l) : 0;
            p_tile[first_row + r][lane] = p;
            ds_tile[first_row + r][lane] = p * (dp[r] - dlt);
        }
        __syncwarp(); // other lanes wrote P and dS that this one reads

        // dV += Pᵀ · dO and dK += dSᵀ · (scale · Q): the lane's dimensions of all the tile's queries.
        for (int q = 0; q < Br; ++q)
            for (int part = 0; part < parts; ++part) {
                const float from_o = do_tile[q][part * 32 + lane], from_q = q_tile[q][part * 32 + lane];
                for (int r = 0; r < rows; ++r) {
                    dv[r][part] = fmaf(p_tile[first_row + r][q], from_o, dv[r][part]);
                    dk[r][part] = fmaf(ds_tile[first_row + r][q], from_q, dk[r][part]);
                }
            }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    for (int r = 0; r < rows; ++r) {
        const int key = first_key + first_row + r;
        if (key >= T) break;
        for (int part = 0; part < parts; ++part) {
            dK[(head + key) * D + part * 32 + lane] = dk[r][part];
            dV[(head + key) * D + part * 32 + lane] = dv[r][part];
        }
    }
}

/// dQ: a block owns 32 queries, a warp 32 / warps of them, and goes over the tiles of keys that they see.
template <int D, int warps>
__global__ void attention_backward_flash_dq(const float* Q, const float* K, const float* V, const float* dO, const float* L,
                                            const float* delta, float* dQ, int T, float scale, int causal) {
    constexpr int rows = Br / warps; // queries of a warp
    constexpr int parts = D / 32;    // dimensions of a lane: lane, lane + 32
    __shared__ float q_tile[Br][D], do_tile[Br][D], k_tile[Bc][D + 1], v_tile[Bc][D + 1], ds_tile[Br][Bc];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int head = blockIdx.y * T; // its first row in the matrices
    const int first_query = blockIdx.x * Br, first_row = warp * rows;

    // The queries and what comes back to them, once; zeros beyond the last.
    for (int q = warp; q < Br; q += warps)
        for (int d = lane; d < D; d += 32) {
            const bool inside = first_query + q < T;
            q_tile[q][d] = inside ? scale * Q[(head + first_query + q) * D + d] : 0;
            do_tile[q][d] = inside ? dO[(head + first_query + q) * D + d] : 0;
        }
    float l[rows], dlt[rows], dq[rows][parts] = {};
    for (int r = 0; r < rows; ++r) {
        const int query = first_query + first_row + r;
        l[r] = query < T ? L[head + query] : 0;
        dlt[r] = query < T ? delta[head + query] : 0;
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
        __syncthreads(); // other warps loaded the tiles that this one reads

        // S and dP: the lane's key with each query of the warp.
        float s[rows] = {}, dp[rows] = {};
        for (int d = 0; d < D; ++d) {
            const float k = k_tile[lane][d], v = v_tile[lane][d];
            for (int r = 0; r < rows; ++r) {
                s[r] = fmaf(q_tile[first_row + r][d], k, s[r]);
                dp[r] = fmaf(do_tile[first_row + r][d], v, dp[r]);
            }
        }

        // dS; zeros where the query does not see the key.
        const int key = first_key + lane;
        for (int r = 0; r < rows; ++r) {
            const bool seen = key < T && !(causal && key > first_query + first_row + r);
            ds_tile[first_row + r][lane] = seen ? expf(s[r] - l[r]) * (dp[r] - dlt[r]) : 0;
        }
        __syncwarp(); // other lanes wrote dS that this one reads

        // dQ += dS · K: the lane's dimensions of all the tile's keys.
        for (int k = 0; k < Bc; ++k)
            for (int part = 0; part < parts; ++part) {
                const float from_k = k_tile[k][part * 32 + lane];
                for (int r = 0; r < rows; ++r) dq[r][part] = fmaf(ds_tile[first_row + r][k], from_k, dq[r][part]);
            }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    for (int r = 0; r < rows; ++r) {
        const int query = first_query + first_row + r;
        if (query >= T) break;
        for (int part = 0; part < parts; ++part) dQ[(head + query) * D + part * 32 + lane] = scale * dq[r][part];
    }
}

template __global__ void attention_backward_flash_forward<32>(const float* Q, const float* K, const float* V, float* O, float* L, int BH,
                                                              int T, float scale, int causal);
template __global__ void attention_backward_flash_forward<64>(const float* Q, const float* K, const float* V, float* O, float* L, int BH,
                                                              int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<32, 2>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<32, 4>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<32, 8>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<64, 2>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<64, 4>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dkdv<64, 8>(const float* Q, const float* K, const float* V, const float* dO,
                                                              const float* L, const float* delta, float* dK, float* dV, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<32, 2>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<32, 4>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<32, 8>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<64, 2>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<64, 4>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
template __global__ void attention_backward_flash_dq<64, 8>(const float* Q, const float* K, const float* V, const float* dO,
                                                            const float* L, const float* delta, float* dQ, int T, float scale, int causal);
