// Cross-entropy of rows, rung 1: the softmax first, then the loss.
//
// p[r][c] = exp(z[r][c]) / Σ_k exp(z[r][k]), then loss[r] = -ln p[r][label[r]]: as the formula says it, in two launches. z are a model's scores
// for C classes (logits). All of p goes out to memory, though the loss needs one number of each row. And where a label is so unlikely that its
// probability is 0 in fp32, from about 104 below the largest logit on, the loss is ∞.
//
// A row whose label is ignore_index (PyTorch: -100) has no part in training; its loss is 0.
//
// A thread owns a row. The sum is one chain of additions in the order of the classes.
// Launch: both: 1-D, any block; the grid covers B. Every label lies in [0, C) or is ignore_index.
// Bytes: 12 · B · C read, 4 · B · C written, some 12 · B for the losses. FLOPs: 7 · B · C, an exponential counted as one.
// Expected of a full warp: loads of z, stores to p and loads of p 32 sectors of 32 bytes per request; loads of label and stores to loss 4.

__global__ void cross_entropy_two_launches_softmax(const float* z, float* p, int B, int C) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const float* from = z + row * C;
    float max = -INFINITY;
    for (int c = 0; c < C; ++c) max = fmaxf(max, from[c]);
    float sum = 0;
    for (int c = 0; c < C; ++c) sum += expf(from[c] - max);
    for (int c = 0; c < C; ++c) p[row * C + c] = expf(from[c] - max) / sum;
}

__global__ void cross_entropy_two_launches_loss(const float* p, const int* label, float* loss, int B, int C, int ignore_index) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const int y = label[row];
    loss[row] = y == ignore_index ? 0 : -logf(p[row * C + y]);
}
