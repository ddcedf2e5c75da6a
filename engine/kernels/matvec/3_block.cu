// Matrix times vector, rung 3: a block for each row.
//
// What changed: all warps of a block share a row, for matrices of few, long rows, which would leave most of the GPU idle. Thread t adds up
// elements t, t + blockDim.x, … in that order; shuffles add up a warp's sums as before; one word of shared memory for each warp carries
// them to the first warp, which adds them up by the same five steps.
//
// A thread owns every blockDim.x-th element of a row; a block owns y[row].
// Launch: 1-D, blockDim.x a multiple of 32; one block for each row.
// FLOPs: 2 · M · K. Bytes asked of global memory: 8 · M · K read, 4 · M written. Shared: 128 bytes.
// Expected of a full warp: loads of A and x 4 sectors per request; stores to y 1, by one thread; `parts` 1 wavefront, loads and stores
// alike.

__global__ void matvec_block(const float* A, const float* x, float* y, int K) {
    __shared__ float parts[32]; // one for each warp
    const int row = blockIdx.x; // one block for each
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    // Each thread's part.
    float sum = 0;
    for (int k = threadIdx.x; k < K; k += blockDim.x) sum = fmaf(A[row * K + k], x[k], sum);

    // Each warp's.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // The block's.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
