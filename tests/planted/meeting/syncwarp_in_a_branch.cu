// __syncwarp in the branch: sixteen lanes wait for thirty-two.
//
// rung: reduction/5_last_warp
// set: n=1000
// expect: never-meets

__global__ void reduction_last_warp(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];
    sums[t] = sum;
    __syncthreads(); // other threads loaded what this one adds

    // Sum, by the block: down to 64.
    for (int distance = threads / 2; distance > 32; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Sum, by the first warp.
    if (t >= 32) return;
    sums[t] += sums[t + 32];
    for (int distance = 16; distance > 0; distance /= 2)
        if (t < distance) {
            __syncwarp(); // <- fault: never-meets
            sums[t] += sums[t + distance];
        }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
