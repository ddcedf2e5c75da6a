// Share of right answers, targets of zeros and a one, rung 1: a block shares the rows.
//
// A row of z is right where its largest element is at the 1 of y. Each thread looks for that 1 and then at the row of z; the counts meet in shared
// memory, in the steps of a tree. They are whole numbers, so that their order does not matter.
//
// A thread owns every blockDim.x-th row; thread 0 writes. The lanes of a warp read a whole row apart.
// Launch: one block, 1-D, blockDim.x a power of two. Dynamic shared memory: 4 · blockDim.x bytes.
// Bytes: up to 8 · B · C read, 4 written. FLOPs: 2 · B · C comparisons.
// Expected of a full warp: loads of y 32 sectors of 32 bytes per request where C is 8 and more; one request for share.

/// Whether the element at the label is larger than every other; a tie and a NaN are not.
static __device__ bool is_right(const float* z, int label, int C) {
    bool right = z[label] == z[label];
    for (int c = 0; c < C; ++c) right = right && (c == label || z[label] > z[c]);
    return right;
}

__global__ void one_hot_accuracy_block(const float* z, const float* y, float* share, int B, int C) {
    extern __shared__ int counts[]; // [blockDim.x]
    const int t = threadIdx.x, threads = blockDim.x;

    // Count.
    int right = 0;
    for (int row = t; row < B; row += threads) {
        const float* target = y + row * C;
        int label = 0;
        float most = target[0];
        for (int c = 1; c < C; ++c) {
            const float value = target[c];
            if (value > most) label = c, most = value;
        }
        right += is_right(z + row * C, label, C);
    }
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
