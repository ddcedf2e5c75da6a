// Attention, rung 2: the products through tiles in shared memory, the softmax by warps.
//
// What changed: each launch is made as well as it can be by itself. Both products read square tiles of their operands into shared memory and
// use each element `side` times; the softmax has a warp for each row. Q, K and V are asked for a `side`-th of the bytes. But S and P
// still go out to global memory and come back: 24 · T² bytes for each head, twice what the products now read with D = side = 32.
//
// Products: a thread owns one element of the result; a block owns a tile of it, side × side. Softmax: a warp owns a row. Sums of
// products are chains in the order of d or j; those of the softmax are the lane's, then shuffles at distances 16, 8, 4, 2, 1.
// Launch: products: blockDim = (side, side), side 32 or 16; the grid covers keys (D for the output) in x, queries in y, heads in z, `side` at a
// time. Softmax: blockDim = (32, rows of the block), any number of rows; the grid covers the queries of all heads.
// FLOPs: 4 · BH · T² · D for the two products, 8 · BH · T² for scale and softmax; about half with `causal`.
// Bytes asked of global memory: 4 · BH · T · D · (3 · T / side + 1) for Q, K, V and O; 20 · BH · T² for S and P up to the softmax, and
// 4 · BH · T² · ⌈D / side⌉ for P in the output. Shared: 8 · side² bytes.
// Expected with side 32: loads of Q, K and V 4 sectors per request, stores to and loads of S and P 4, stores to O 4, to L 1; q_tile, k_tile,
// p_tile and v_tile 1 wavefront, loads and stores alike: where the lanes go down a column, of k_tile, the padding puts it into 32 banks.

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

template <int side>
__global__ void attention_tiled_scores(const float* Q, const float* K, float* S, int T, int D, float scale, int causal) {
    __shared__ float q_tile[side][side], k_tile[side][side + 1];
    const int head = blockIdx.z * T; // its first row
    const int first_query = blockIdx.y * side, first_key = blockIdx.x * side;
    if (causal && first_key >= first_query + side) return; // the whole block: no query of the tile sees a key of it
    const int query = first_query + threadIdx.y, key = first_key + threadIdx.x;
    const int loaded_key = first_key + threadIdx.y;
    float sum = 0;

    for (int d0 = 0; d0 < D; d0 += side) {
        // Load: beyond the edges stand zeros, which leave a sum as it is.
        const int d = d0 + threadIdx.x;
        q_tile[threadIdx.y][threadIdx.x] = query < T && d < D ? Q[(head + query) * D + d] : 0;
        k_tile[threadIdx.y][threadIdx.x] = loaded_key < T && d < D ? K[(head + loaded_key) * D + d] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of Q times a row of K.
        for (int k = 0; k < side; ++k) sum = fmaf(q_tile[threadIdx.y][k], k_tile[threadIdx.x][k], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (query < T && key < T) S[(head + query) * T + key] = scale * sum;
}

__global__ void attention_tiled_softmax(const float* S, float* P, float* L, int BH, int T, int causal) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y; // a query of some head
    const int lane = threadIdx.x;
    if (row >= BH * T) return; // a whole warp together
    const int keys = causal ? row % T + 1 : T;
    float max = -INFINITY;
    for (int j = lane; j < keys; j += 32) max = fmaxf(max, S[row * T + j]);
    max = warp_max(max);
    float sum = 0;
    for (int j = lane; j < keys; j += 32) sum += expf(S[row * T + j] - max);
    sum = warp_sum(sum);
    for (int j = lane; j < keys; j += 32) P[row * T + j] = expf(S[row * T + j] - max) / sum;
    if (lane == 0) L[row] = max + logf(sum);
}

template <int side>
__global__ void attention_tiled_output(const float* P, const float* V, float* O, int T, int D, int causal) {
    __shared__ float p_tile[side][side], v_tile[side][side];
    const int head = blockIdx.z * T; // its first row
    const int first_query = blockIdx.y * side;
    const int query = first_query + threadIdx.y, d = blockIdx.x * side + threadIdx.x;
    const int tile_keys = causal ? min(first_query + side, T) : T; // that some query of the tile sees
    const int keys = causal ? query + 1 : T;                       // that this thread's query sees
    float sum = 0;

    for (int first_key = 0; first_key < tile_keys; first_key += side) {
        // Load: zeros beyond the edges, and for the keys that a query does not see.
        const int p_key = first_key + threadIdx.x, v_key = first_key + threadIdx.y;
        p_tile[threadIdx.y][threadIdx.x] = query < T && p_key < T && p_key < keys ? P[(head + query) * T + p_key] : 0;
        v_tile[threadIdx.y][threadIdx.x] = v_key < T && d < D ? V[(head + v_key) * D + d] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of P times a column of V.
        for (int k = 0; k < side; ++k) sum = fmaf(p_tile[threadIdx.y][k], v_tile[k][threadIdx.x], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (query < T && d < D) O[(head + query) * D + d] = sum;
}

template __global__ void attention_tiled_scores<32>(const float* Q, const float* K, float* S, int T, int D, float scale, int causal);
template __global__ void attention_tiled_scores<16>(const float* Q, const float* K, float* S, int T, int D, float scale, int causal);
template __global__ void attention_tiled_output<32>(const float* P, const float* V, float* O, int T, int D, int causal);
template __global__ void attention_tiled_output<16>(const float* P, const float* V, float* O, int T, int D, int causal);
