// Gradient of the cross-entropy, rung 1: the softmax first, then the gradient.
//
// Forward: loss[r] = ln Σ_k exp(z[r][k]) - z[r][label[r]]. The slope of the first term is the softmax p, that of the second 1 at the label:
//     dz[r][c] = scale · (p[r][c] - [c = label[r]])
// What is too likely is pushed down by its probability, the label up by what is missing to 1. `scale` is the gradient that arrives, 1 / B for
// the mean of B rows. A row whose label is ignore_index (PyTorch: -100) gets 0.
//
// In the first launch a thread owns a row, whose sum is one chain of additions in the order of the classes; in the second dz[row][column].
// Launch: first: 1-D, any block; the grid covers B. Second: any block; the grid covers C in x and B in y. Every label lies in [0, C) or
// is ignore_index.
// Bytes: 16 · B · C read, 8 · B · C written, and 4 · B for the labels. FLOPs: 9 · B · C, an exponential counted as one.
// Expected of a full warp (in the second launch of one row): loads of z and stores to p 32 sectors of 32 bytes per request; loads of p and stores
// to dz 4; loads of label 1.

__global__ void cross_entropy_backward_two_launches_softmax(const float* z, float* p, int B, int C) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const float* from = z + row * C;
    float max = -INFINITY;
    for (int c = 0; c < C; ++c) max = fmaxf(max, from[c]);
    float sum = 0;
    for (int c = 0; c < C; ++c) sum += expf(from[c] - max);
    for (int c = 0; c < C; ++c) p[row * C + c] = expf(from[c] - max) / sum;
}

__global__ void cross_entropy_backward_two_launches_gradient(const float* p, const int* label, float* dz, float scale, int B, int C,
                                                             int ignore_index) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= B || column >= C) return;
    const int y = label[row];
    const float wanted = column == y ? 1 : 0;
    dz[row * C + column] = y == ignore_index ? 0 : scale * (p[row * C + column] - wanted);
}
