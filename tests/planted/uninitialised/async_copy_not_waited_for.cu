// A barrier does not wait for asynchronous copies: their bytes have not landed.
//
// rung: copy/1_naive
// set: n=1024
// expect: uninitialised in tile

#include <cuda_pipeline.h>

constexpr int threads = 256;

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ float tile[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    __pipeline_memcpy_async(&tile[t], &x[i], 4);
    __pipeline_commit();
    __syncthreads();
    y[i] = tile[t]; // <- fault: uninitialised
}
