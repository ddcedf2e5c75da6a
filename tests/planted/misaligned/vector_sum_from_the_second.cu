// Fours that begin at the second element are no multiples of 16 bytes from the beginning.
//
// rung: vector_add/3_vectorised
// set: n=1025
// expect: misaligned in a

__global__ void vector_add_vectorised(const float* a, const float* b, float* c, int n) {
    const int stride = 4 * gridDim.x * blockDim.x; // elements that the grid takes at once
    for (int i = 1 + 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
        if (i + 4 <= n) {
            const float4 left = *reinterpret_cast<const float4*>(a + i); // <- fault: misaligned
            const float4 right = *reinterpret_cast<const float4*>(b + i);
            *reinterpret_cast<float4*>(c + i) = make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
        } else { // the end: fewer than four
            for (int j = i; j < n; ++j) c[j] = a[j] + b[j];
        }
    }
}
