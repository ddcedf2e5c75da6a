// Gradients of attention, rung 1: with stored scores and probabilities.
//
// Forward, for each of BH = batch · heads heads, Q, K, V (T, D); with `causal` a query i sees the keys j <= i only:
//     S = scale · Q · Kᵀ (T, T),  P = softmax of S's rows,  O = P · V (T, D)
// Backward, from dO (T, D):
//     of O = P · V:           dV = Pᵀ · dO (T, D),  dP = dO · Vᵀ (T, T)
//     of P = softmax(S):      dS[i][j] = P[i][j] · (dP[i][j] - delta[i]),  delta[i] = Σ_k P[i][k] · dP[i][k]
//     of S = scale · Q · Kᵀ:  dQ = scale · dS · K (T, D),  dK = scale · dSᵀ · Q (T, D)
// Four launches: S and dP; P and dS; dK and dV; dQ. The forward pass would have kept P; here it is made again from Q and K. Four matrices
// of T² numbers for each head stand in global memory.
//
// In the first launch a thread owns a pair of query and key, in the second a query, in the third an element of dK and dV, in the fourth
// an element of dQ. All sums are chains in the order of d, of the keys or of the queries.
// Launch: scores: any block; the grid covers keys in x, queries in y, heads in z. Softmax: 1-D, any block; the grid covers the queries of all
// heads. dK and dV, dQ: any block; the grid covers D in x, keys or queries in y, heads in z.
// FLOPs: 10 · BH · T² · D for the five products, 15 · BH · T² for the rest; about half with `causal`.
// Bytes asked of global memory: 40 · BH · T² · D by the products (each operand of each fmaf), 40 · BH · T² for S, P, dP and dS.
// Expected of a full warp: loads of Q and dO 1 sector per request in the first launch, 4 in the third: 2.5 on average; loads of K 32 in the
// first, 4 in the fourth: 18 on average; loads of V 32; stores to S and dP 4, loads 32; stores to P and dS 32, loads 1; stores to dQ, dK
// and dV 4.

__global__ void attention_backward_naive_scores(const float* Q, const float* K, const float* V, const float* dO, float* S, float* dP,
                                                int T, int D, float scale, int causal) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x; // key
    const int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    if (i >= T || j >= T || (causal && j > i)) return;
    const int head = blockIdx.z * T; // its first row
    float s = 0, dp = 0;
    for (int d = 0; d < D; ++d) {
        s = fmaf(Q[(head + i) * D + d], K[(head + j) * D + d], s);
        dp = fmaf(dO[(head + i) * D + d], V[(head + j) * D + d], dp);
    }
    S[(head + i) * T + j] = scale * s;
    dP[(head + i) * T + j] = dp;
}

__global__ void attention_backward_naive_softmax(const float* S, const float* dP, float* P, float* dS, int BH, int T, int causal) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; // a query of some head
    if (row >= BH * T) return;
    const int keys = causal ? row % T + 1 : T;

    // Forward.
    float max = -INFINITY;
    for (int j = 0; j < keys; ++j) max = fmaxf(max, S[row * T + j]);
    float sum = 0;
    for (int j = 0; j < keys; ++j) sum += expf(S[row * T + j] - max);
    float delta = 0;
    for (int j = 0; j < keys; ++j) {
        const float p = expf(S[row * T + j] - max) / sum;
        P[row * T + j] = p;
        delta = fmaf(p, dP[row * T + j], delta);
    }

    // Backward.
    for (int j = 0; j < keys; ++j) {
        const float p = expf(S[row * T + j] - max) / sum;
        dS[row * T + j] = p * (dP[row * T + j] - delta);
    }
}

__global__ void attention_backward_naive_dkdv(const float* Q, const float* dO, const float* P, const float* dS, float* dK, float* dV,
                                              int T, int D, float scale, int causal) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * blockDim.y + threadIdx.y; // key
    if (j >= T || d >= D) return;
    const int head = blockIdx.z * T; // its first row
    float dk = 0, dv = 0;
    for (int i = causal ? j : 0; i < T; ++i) { // the queries that see the key
        dv = fmaf(P[(head + i) * T + j], dO[(head + i) * D + d], dv);
        dk = fmaf(dS[(head + i) * T + j], Q[(head + i) * D + d], dk);
    }
    dK[(head + j) * D + d] = scale * dk;
    dV[(head + j) * D + d] = dv;
}

__global__ void attention_backward_naive_dq(const float* K, const float* dS, float* dQ, int T, int D, float scale, int causal) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    if (i >= T || d >= D) return;
    const int head = blockIdx.z * T; // its first row
    const int keys = causal ? i + 1 : T;
    float dq = 0;
    for (int j = 0; j < keys; ++j) dq = fmaf(dS[(head + i) * T + j], K[(head + j) * D + d], dq);
    dQ[(head + i) * D + d] = scale * dq;
}
