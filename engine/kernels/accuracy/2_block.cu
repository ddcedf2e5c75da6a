// Share of right answers, rung 2: a block shares the rows.
//
// What changed: each thread counts every blockDim.x-th row, and the counts meet in shared memory, in the steps of a tree. They are whole numbers,
// so that their order does not matter.
//
// A thread owns every blockDim.x-th row; thread 0 writes.
// Launch: one block, 1-D, blockDim.x a power of two. Dynamic shared memory: 4 · blockDim.x bytes.
// Bytes: up to 4 · B · C read and 4 · B for the labels, 4 written. FLOPs: B · C comparisons.
// Expected of a full warp: loads of label 4 sectors per request, B / 32 requests; loads of z up to 32 sectors; one request for share.

/// Whether the element at the label is larger than every other; a tie and a NaN are not.
static __device__ bool is_right(const float* z, int label, int C) {
    bool right = z[label] == z[label];
    for (int c = 0; c < C; ++c) right = right && (c == label || z[label] > z[c]);
    return right;
}

__global__ void accuracy_block(const float* z, const int* label, float* share, int B, int C) {
    extern __shared__ int counts[]; // [blockDim.x]
    const int t = threadIdx.x, threads = blockDim.x;

    // Count.
    int right = 0;
    for (int row = t; row < B; row += threads) right += is_right(z + row * C, label[row], C);
    counts[t] = right;
    __syncthreads(); // other threads wrote the counts that this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) counts[t] += counts[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) *share = static_cast<float>(counts[0]) / static_cast<float>(B);
}
