// The last warp of a sum as it was written before Volta: without __syncwarp nothing orders one lane's store and another's load.
//
// rung: reduction/5_last_warp
// set: n=1000
// expect: race in sums

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
    sums[t] += sums[t + 32]; // <- fault: race
    if (t < 16) sums[t] += sums[t + 16]; // <- fault: race
    if (t < 8) sums[t] += sums[t + 8]; // <- fault: race
    if (t < 4) sums[t] += sums[t + 4]; // <- fault: race
    if (t < 2) sums[t] += sums[t + 2]; // <- fault: race
    if (t < 1) sums[t] += sums[t + 1]; // <- fault: race

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
