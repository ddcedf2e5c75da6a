// The index is an element for each token, not for each of its numbers.
//
// rung: embedding/1_naive
// set: V=100
// set: T=64
// set: C=32
// expect: out-of-bounds in index

__global__ void embedding_naive(const float* table, const int* index, float* y, int T, int C) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= T) return;
    const float* from = table + index[t * C] * C; // <- fault: out-of-bounds
    for (int c = 0; c < C; ++c) y[t * C + c] = from[c];
}
