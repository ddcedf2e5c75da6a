// Normalisation by the root mean square, rung 3: a block for each row.
//
// What changed: all warps of a block share a row, for few, long rows. Each warp puts its sum into shared memory; then every warp reads
// those of all warps and adds them up by the same five steps, so that all threads of the block hold the same bits.
//
// A thread owns every blockDim.x-th element of a row; a block owns the row.
// Launch: 1-D, blockDim.x a multiple of 32; one block for each row.
// Bytes: 12 · rows · columns read (x twice, gamma), 4 · rows · columns + 4 · rows written. FLOPs: 4 · rows · columns. Shared: 128 bytes.
// Expected of a full warp: loads of x and gamma and stores to y 4 sectors per request; stores to rrms 1, by one thread; `sums` 1
// wavefront, loads and stores alike.
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void rmsnorm_block(const float* x, const float* gamma, float* y, float* rrms, int columns, float epsilon) {
    __shared__ float sums[32];  // one for each warp
    const int row = blockIdx.x; // < rows
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1: the mean square.
    float squares = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) squares = fmaf(from[c], from[c], squares);
    squares = warp_sum(squares);
    if (lane == 0) sums[warp] = squares;
    __syncthreads(); // other warps wrote the sums that this one reads
    const float s = 1 / sqrtf(warp_sum(lane < warps ? sums[lane] : 0) / columns + epsilon);

    // Pass 2: the result.
    for (int c = threadIdx.x; c < columns; c += blockDim.x) to[c] = from[c] * s * gamma[c];
    if (threadIdx.x == 0) rrms[row] = s;
}
