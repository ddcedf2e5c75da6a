// All lanes call, and the mask names the lower sixteen.
//
// rung: reduction/7_shuffle
// set: n=1000
// expect: trap

__global__ void reduction_shuffle(const float* x, float* y, int n) {
    __shared__ float parts[32]; // one for each warp
    const int threads = blockDim.x, t = threadIdx.x;
    const int lane = t % 32, warp = t / 32, warps = threads / 32;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];

    // Sum, by each warp: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0x0000ffff, sum, distance); // <- fault: trap
    if (lane == 0) parts[warp] = sum;
    __syncthreads(); // other warps wrote what the first one reads

    // Sum, by the first warp, of the warps' sums.
    if (warp > 0) return;
    sum = lane < warps ? parts[lane] : 0;
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Write.
    if (lane == 0) y[blockIdx.x] = sum;
}
