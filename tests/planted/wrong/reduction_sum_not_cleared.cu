// Nobody sets the sum to 0 before the blocks add to it.
//
// rung: reduction/9_atomic
// set: n=1000
// expect: wrong result in y

__global__ void reduction_atomic_clear(float* y) {} // <- fault: wrong result

__global__ void reduction_atomic(const float* x, float* y, int n) {
    __shared__ float parts[32]; // one for each warp
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;

    // Load: the thread's elements.
    float sum = 0;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) sum += x[i];

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Sum, by the first warp, of the warps' sums.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Add to what the other blocks add to.
    if (lane == 0) atomicAdd(y, sum);
}
