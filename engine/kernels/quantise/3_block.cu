// Quantise to int8, rung 3: a block for each row.
//
// What changed: all warps of a block share a row, for few, long rows. Each warp finds its maximum by shuffles as before; one word of shared
// memory for each warp carries them to all threads, which read through these words to the same maximum.
//
// A thread owns every blockDim.x-th element of a row; a block owns the row.
// Launch: 1-D, blockDim.x a multiple of 32; one block for each row.
// FLOPs: 2 · rows · columns. Bytes: 8 · rows · columns read, rows · columns and 4 for each row written. Shared: 128 bytes.
// Expected of a full warp: loads of x 4 sectors per request, stores to q 1 (32 bytes), stores to scales 1, by one thread; `parts` 1
// wavefront, loads and stores alike.

__global__ void quantise_block(const float* x, signed char* q, float* scales, int columns) {
    __shared__ float parts[32]; // one for each warp
    const int row = blockIdx.x; // one block for each
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;

    // The largest element: each thread's, each warp's, the row's.
    float largest = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) largest = fmaxf(largest, fabsf(x[row * columns + c]));
    for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
    if (lane == 0) parts[warp] = largest;
    __syncthreads(); // other warps wrote what this thread reads
    for (int i = 0; i < warps; ++i) largest = fmaxf(largest, parts[i]);
    const float scale = largest > 0 ? largest / 127 : 1;
    if (threadIdx.x == 0) scales[row] = scale;

    // All elements in steps of the scale.
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        q[row * columns + c] = static_cast<signed char>(rintf(x[row * columns + c] / scale));
}
