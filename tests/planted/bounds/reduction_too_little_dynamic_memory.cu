// Two elements for each thread in shared memory, where the launch gave room for one.
//
// rung: reduction/4_first_add
// set: n=1000
// expect: out-of-bounds in sums

__global__ void reduction_first_add(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    sums[t + threads] = i + threads < n ? x[i + threads] : 0; // <- fault: out-of-bounds
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
