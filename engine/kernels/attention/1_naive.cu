// Attention, rung 1: three launches, with all scores in global memory.
//
// For each head, that is for each of BH = batch · heads triples of matrices Q, K, V (T, D):
//     S = scale · Q · Kᵀ (T, T), scale = 1 / √D;  P = softmax of S's rows;  O = P · V (T, D)
// With `causal` a query i sees the keys j <= i only; the rest of S and P is neither written nor read. L[i] = log Σ_j exp(S[i][j]) is kept:
// the backward pass makes P from it, as exp(S - L). Each launch is what one would write first: a thread for each score, a thread for
// each row of P, a thread for each element of O. S and P have T numbers for every query: memory and traffic grow with T².
//
// All sums are chains in the order of d or j. The lanes of a warp read K a row apart, 32 sectors of 32 bytes for 128 bytes, and so they do
// S and P in the softmax.
//
// Launch: scores: any block; the grid covers keys in x, queries in y, heads in z. Softmax: 1-D, any block; the grid covers the queries of all
// heads. Output: any block; the grid covers D in x, queries in y, heads in z.
// FLOPs: 4 · BH · T² · D for the two products, 8 · BH · T² for scale and softmax; about half with `causal`.
// Bytes asked of global memory: 16 · BH · T² · D by the products (each operand of each fmaf), 20 · BH · T² for S and P.
// Expected of a full warp: loads of Q 1 sector per request, of K 32; stores to S 4, loads 32; stores to P 32, loads 1; loads of V 4; stores
// to O and L 4.
// Source: Vaswani et al., "Attention Is All You Need", 2017.

__global__ void attention_naive_scores(const float* Q, const float* K, float* S, int T, int D, float scale, int causal) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x; // key
    const int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    if (i >= T || j >= T || (causal && j > i)) return;
    const int head = blockIdx.z * T; // its first row
    float sum = 0;
    for (int d = 0; d < D; ++d) sum = fmaf(Q[(head + i) * D + d], K[(head + j) * D + d], sum);
    S[(head + i) * T + j] = scale * sum;
}

__global__ void attention_naive_softmax(const float* S, float* P, float* L, int BH, int T, int causal) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; // a query of some head
    if (row >= BH * T) return;
    const int keys = causal ? row % T + 1 : T;
    float max = -INFINITY;
    for (int j = 0; j < keys; ++j) max = fmaxf(max, S[row * T + j]);
    float sum = 0;
    for (int j = 0; j < keys; ++j) sum += expf(S[row * T + j] - max);
    for (int j = 0; j < keys; ++j) P[row * T + j] = expf(S[row * T + j] - max) / sum;
    L[row] = max + logf(sum);
}

__global__ void attention_naive_output(const float* P, const float* V, float* O, int T, int D, int causal) {
    const int d = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    if (i >= T || d >= D) return;
    const int head = blockIdx.z * T; // its first row
    const int keys = causal ? i + 1 : T;
    float sum = 0;
    for (int j = 0; j < keys; ++j) sum = fmaf(P[(head + i) * T + j], V[(head + j) * D + d], sum);
    O[(head + i) * D + d] = sum;
}
