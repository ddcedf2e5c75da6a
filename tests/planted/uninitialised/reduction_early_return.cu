// Threads beyond the end return before they have put a zero into their word: the tree adds whatever lies there.
//
// rung: reduction/3_sequential
// set: n=1000
// expect: uninitialised in sums

__global__ void reduction_sequential(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    if (i >= n) return;
    sums[t] = x[i];
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance]; // <- fault: uninitialised
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
