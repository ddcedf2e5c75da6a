// Matrix times vector, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row, so that they read neighbours of A and of x: 4 sectors for 128 bytes. Lane l adds up
// elements l, l + 32, l + 64, … in that order; then the 32 sums are added in five steps by shuffles, at distances 16, 8, 4, 2, 1.
//
// A lane owns every 32nd element of a row; a warp owns y[row].
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// FLOPs: 2 · M · K. Bytes asked of global memory: 8 · M · K read, 4 · M written.
// Expected of a full warp: loads of A and x 4 sectors per request; stores to y 1, by one lane.

__global__ void matvec_warp(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= M) return; // a whole warp together

    // Each lane's part.
    float sum = 0;
    for (int k = lane; k < K; k += 32) sum = fmaf(A[row * K + k], x[k], sum);

    // All parts: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
