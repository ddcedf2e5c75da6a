// Cross-entropy of rows, rung 2: by the logarithm of the sum.
//
// What changed: -ln(exp(z_y) / Σ exp(z_k)) = ln Σ exp(z_k) - z_y. Neither p nor its division is needed: a row is read once, for its maximum and
// the sum for it, and leaves one number. And as no probability is made, none can become 0: the loss is right for every logit.
//
// The sum is kept for the largest logit so far; when a larger one comes, it is multiplied by what its exponentials were too large by.
//
// A thread owns a row. The sum is one chain of fmaf in the order of the classes.
// Launch: 1-D, any block; the grid covers B. Every label lies in [0, C) or is ignore_index.
// Bytes: 4 · B · C read, some 12 · B for labels and losses. FLOPs: 7 · B · C, an exponential counted as one.
// Expected of a full warp: loads of z 32 sectors per request; loads of label and stores to loss 4.
// Source: the sum online: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018.

__global__ void cross_entropy_fused(const float* z, const int* label, float* loss, int B, int C, int ignore_index) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const float* from = z + row * C;

    // The maximum, and the sum for it. Before the first class exp(-INFINITY) = 0.
    float max = -INFINITY, sum = 0;
    for (int c = 0; c < C; ++c) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // The loss.
    const int y = label[row];
    loss[row] = y == ignore_index ? 0 : logf(sum) + (max - from[y]);
}
