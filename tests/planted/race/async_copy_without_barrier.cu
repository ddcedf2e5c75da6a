// A thread waits for its own copies. What its neighbour copied it may read only behind a barrier.
//
// rung: copy/1_naive
// set: n=1024
// expect: race in tile
// expect: uninitialised in tile

#include <cuda_pipeline.h>

constexpr int threads = 256;

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ float tile[threads];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    __pipeline_memcpy_async(&tile[t], &x[i], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0); // <- fault: race
    const int from = threads - 1 - t;
    y[blockIdx.x * threads + from] = tile[from]; // <- fault: race, uninitialised
}
