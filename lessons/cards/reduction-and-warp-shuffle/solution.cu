// The last five steps go from register to register: no shared memory, and nobody to wait for.

__global__ void reduction_shuffle(const float* x, float* y, int n) {
    __shared__ float sums[1024]; // one for each thread
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    sums[t] = (i < n ? x[i] : 0) + (i + threads < n ? x[i + threads] : 0);
    __syncthreads(); // other threads loaded what this one adds

    // Sum: from the far half onto the near half, until one warp has 32 sums.
    for (int distance = threads / 2; distance >= 32; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }
    if (t >= 32) return;

    float sum = sums[t];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);

    // Write.
    if (t == 0) y[blockIdx.x] = sum;
}
