// Two tokens of one word add to the same row of the table with a plain +=.
//
// rung: embedding_backward/1_atomic
// set: V=7
// set: T=64
// set: C=32
// expect: race in dtable

__global__ void embedding_backward_atomic_clear(float* dtable, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dtable[i] = 0;
}

__global__ void embedding_backward_atomic(const float* dy, const int* index, float* dtable, int T, int C) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    float* to = dtable + index[t] * C;
    for (int c = threadIdx.x; c < C; c += 32) to[c] += dy[t * C + c]; // <- fault: race
}
