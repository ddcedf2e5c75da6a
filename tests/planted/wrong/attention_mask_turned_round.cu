// The sum takes the keys that follow, not those that came before.
//
// rung: attention/1_naive
// set: BH=1
// set: T=33
// set: causal=1
// expect: wrong result in O, L

__global__ void attention_naive_scores(const float* Q, const float* K, float* S, int T, int D, float scale, int causal) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x; // key
    const int i = blockIdx.y * blockDim.y + threadIdx.y; // query
    if (i >= T || j >= T || (causal && j < i)) return; // <- fault: wrong result
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
