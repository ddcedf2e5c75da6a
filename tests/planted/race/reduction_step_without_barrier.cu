// Sum by a tree, without the barrier between two steps: a thread adds what another has not written yet.
//
// rung: reduction/3_sequential
// set: n=1000
// expect: race in sums
// schedules: differ

__global__ void reduction_sequential(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance]; // <- fault: race
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
