// Softmax and cross-entropy, rung 1: a thread for each row, then one thread for the mean.
//
// p[r][c] = exp(z[r][c]) / Σ_k exp(z[r][k]), L = -1/B · Σ_r ln p[r][label[r]]: the end of a classifier's forward pass. p is kept, for the
// backward pass begins with it: dz = (p - one at the label) / B. The loss is ln Σ exp(z_k) - z_label, which no p of 0 makes infinite.
//
// A thread owns a row; the sum is one chain of additions in the order of the classes. The losses of all rows are then added up by a single
// thread in their order, which takes B additions that wait for each other.
//
// Launch: first: 1-D, any block; the grid covers B. Second: one thread. Every label lies in [0, C).
// Bytes: 12 · B · C read, 4 · B · C written, some 16 · B for labels and losses. FLOPs: 7 · B · C, an exponential counted as one.
// Expected of a full warp: loads of z and stores to p 32 sectors of 32 bytes per request; loads of label and stores to losses 4. Loads of
// losses and the store to L are one lane's: 1.

__global__ void softmax_cross_entropy_naive(const float* z, const int* label, float* p, float* losses, int B, int C) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const float* from = z + row * C;

    // Pass 1: the maximum.
    float max = -INFINITY;
    for (int c = 0; c < C; ++c) max = fmaxf(max, from[c]);

    // Pass 2: the sum.
    float sum = 0;
    for (int c = 0; c < C; ++c) sum += expf(from[c] - max);

    // Pass 3: probabilities and loss.
    for (int c = 0; c < C; ++c) p[row * C + c] = expf(from[c] - max) / sum;
    losses[row] = logf(sum) + (max - from[label[row]]);
}

__global__ void softmax_cross_entropy_naive_mean(const float* losses, float* L, int B) {
    float sum = 0;
    for (int r = 0; r < B; ++r) sum += losses[r];
    *L = sum / B;
}
