// Blocks are given 4 · blockDim.x - 1 elements: the second block's fours are not aligned.
//
// rung: copy/2_vectorised
// set: n=2048
// expect: misaligned in y

__global__ void copy_vectorised(const float* x, float* y, int n) {
    const int i = blockIdx.x * (4 * blockDim.x - 1) + 4 * threadIdx.x;
    if (i + 4 <= n) {
        *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i); // <- fault: misaligned
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) y[j] = x[j];
    }
}
