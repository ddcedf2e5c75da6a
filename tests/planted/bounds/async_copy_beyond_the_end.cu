// An asynchronous copy reads like any other: its last one reaches beyond x.
//
// rung: copy/1_naive
// set: n=1000
// expect: out-of-bounds in x

#include <cuda_pipeline.h>

constexpr int threads = 256;

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ float tile[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    __pipeline_memcpy_async(&tile[t], &x[i], 4); // <- fault: out-of-bounds
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (i < n) y[i] = tile[t];
}
