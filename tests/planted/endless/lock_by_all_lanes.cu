// A lock whose holder waits for the lanes that wait for the lock.
//
// rung: reduction/9_atomic
// set: n=64
// block: 32
// budget: 1000000
// expect: endless

__device__ int lock;

__global__ void reduction_atomic_clear(float* y) { y[0] = 0; }

__global__ void reduction_atomic(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (atomicCAS(&lock, 0, 1) != 0) {} // <- fault: endless
    __syncwarp();
    if (i < n) *y += x[i];
    atomicExch(&lock, 0);
}
