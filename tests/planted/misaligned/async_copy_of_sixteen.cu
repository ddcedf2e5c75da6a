// An asynchronous copy of 16 bytes begins at a multiple of 16, in both memories; here each thread's begins one word late.
//
// rung: copy/1_naive
// set: n=1024
// expect: misaligned in tile

#include <cuda_pipeline.h>

constexpr int threads = 256;

__global__ void copy_naive(const float* x, float* y, int n) {
    __shared__ __align__(16) float tile[4 * threads + 1];
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    if (t >= threads / 4) return;
    __pipeline_memcpy_async(&tile[4 * t + 1], &x[i - t + 4 * t], 16); // <- fault: misaligned
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0; k < 4; ++k) y[i - t + 4 * t + k] = tile[4 * t + 1 + k];
}
