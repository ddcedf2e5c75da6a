// Share of answers on the right side, rung 1: a block shares the answers.
//
// An answer z[i] is right where it lies above the threshold and y[i] is 1, or below it and y[i] is 0; on the threshold, and a NaN, it is wrong. Each
// thread counts every blockDim.x-th answer, and the counts meet in shared memory, in the steps of a tree. They are whole numbers, so that their
// order does not matter.
//
// A thread owns every blockDim.x-th answer; a warp reads runs of 32 neighbours; thread 0 writes.
// Launch: one block, 1-D, blockDim.x a power of two. Dynamic shared memory: 4 · blockDim.x bytes.
// Bytes: 8 · n read, 4 written. FLOPs: 2 · n comparisons.
// Expected of a full warp: loads of z and y 4 sectors of 32 bytes per request, n / 32 requests for each; one for share.

__global__ void binary_accuracy_block(const float* z, const float* y, float* share, float threshold, int n) {
    extern __shared__ int counts[]; // [blockDim.x]
    const int t = threadIdx.x, threads = blockDim.x;

    // Count.
    int right = 0;
    for (int i = t; i < n; i += threads) {
        const float answer = z[i];
        right += y[i] > 0.5f ? answer > threshold : answer < threshold;
    }
    counts[t] = right;
    __syncthreads(); // other threads wrote the counts that this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) counts[t] += counts[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) *share = static_cast<float>(counts[0]) / static_cast<float>(n);
}
