// The thread that clears the counter counts, too: behind its own store its atomic is in order, but that of no other thread is.
//
// rung: copy/1_naive
// set: n=1024
// expect: race in count
// schedules: differ

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ int count;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) count = 0; // <- fault: race
    atomicAdd(&count, 1); // <- fault: race
    __syncthreads();
    if (i < n) y[i] = count == blockDim.x ? x[i] : 0;
}
