// Share of right answers, rung 1: one thread asks every row.
//
// A row of z is right where its largest element is at the label. Its neighbours' answers do not matter, but all are counted together: here by
// one thread, which reads row after row while the rest of the GPU is idle.
//
// Thread 0 owns everything; others of the block return at once.
// Launch: one block.
// Bytes: up to 4 · B · C read and 4 · B for the labels, 4 written. FLOPs: B · C comparisons.
// Expected: loads of z and of label 1 sector of 32 bytes per request, B requests for label; one for share.

/// Whether the element at the label is larger than every other; a tie and a NaN are not.
static __device__ bool is_right(const float* z, int label, int C) {
    bool right = z[label] == z[label];
    for (int c = 0; c < C; ++c) right = right && (c == label || z[label] > z[c]);
    return right;
}

__global__ void accuracy_naive(const float* z, const int* label, float* share, int B, int C) {
    if (threadIdx.x > 0) return;
    int right = 0;
    for (int row = 0; row < B; ++row) right += is_right(z + row * C, label[row], C);
    *share = static_cast<float>(right) / static_cast<float>(B);
}
