// The stride is the block's, not the grid's: elements are added several times.
//
// rung: reduction/8_many_each
// set: n=1000
// expect: wrong result in y

__global__ void reduction_many_each(const float* x, float* y, int n) {
    __shared__ float parts[32]; // one for each warp
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;

    // Load: the thread's elements.
    float sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += threads) sum += x[i]; // <- fault: wrong result

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Sum, by the first warp, of the warps' sums.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Write.
    if (lane == 0) y[blockIdx.x] = sum;
}
