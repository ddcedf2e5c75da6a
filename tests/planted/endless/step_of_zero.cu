// The distance is doubled from 0.
//
// rung: reduction/3_sequential
// set: n=256
// budget: 1000000
// expect: endless

__global__ void reduction_sequential(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * threads + t;

    // Load: one element each; beyond the end are zeros.
    sums[t] = i < n ? x[i] : 0;
    __syncthreads(); // other threads loaded what this one adds

    // Sum: steps of a tree.
    for (int distance = 0; distance < threads; distance *= 2) { // <- fault: endless
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
