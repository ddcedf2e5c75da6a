// The barrier stands in the branch: only the threads that add come to it.
//
// rung: reduction/3_sequential
// set: n=256
// expect: mismatched-barrier

__global__ void reduction_sequential(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) { // <- fault: mismatched-barrier
        if (t < distance) {
            sums[t] += sums[t + distance];
            __syncthreads(); // <- fault: mismatched-barrier
        }
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
