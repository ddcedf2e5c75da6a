// Gradient of softmax and cross-entropy, rung 1: one thread computes one element.
//
// Forward: p = softmax(z), L = -1/B · Σ_r ln p[r][label[r]]. Backward: dz[r][c] = (p[r][c] - y[r][c]) / B, where y is 1 at the label and 0
// elsewhere: softmax and logarithm cancel each other, and what the forward pass wrote is all that is needed.
//
// A thread owns dz[i], of the matrix as one row of B · C elements, and asks for the label of its row.
// Launch: 1-D, any block; the grid covers B · C.
// Bytes: 4 · B · C read and 4 · B for the labels, 4 · B · C written. FLOPs: 2 · B · C.
// Expected of a full warp, where C is a multiple of 32: loads of p and stores to dz 4 sectors per request, loads of label 1; B · C / 32
// requests for each.

__global__ void softmax_cross_entropy_backward_naive(const float* p, const int* label, float* dz, int B, int C) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * C) return;
    const float scale = 1.0f / B;
    const float y = i % C == label[i / C] ? 1 : 0;
    dz[i] = (p[i] - y) * scale;
}
