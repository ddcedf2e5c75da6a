// All threads wait for a flag that the first one sets when it has passed the barrier; but it waits, too.
//
// rung: copy/1_naive
// set: n=256
// budget: 1000000
// expect: endless

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ volatile int ready;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads(); // the flag is cleared
    while (ready == 0) {} // <- fault: endless
    if (threadIdx.x == 0) ready = 1;
    if (i < n) y[i] = x[i];
}
