// The last n mod 4 elements have no four, and nobody writes them.
//
// rung: vector_add/3_vectorised
// set: n=1001
// expect: wrong result in c

__global__ void vector_add_vectorised(const float* a, const float* b, float* c, int n) {
    const int stride = 4 * gridDim.x * blockDim.x; // elements that the grid takes at once
    for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
        if (i + 4 <= n) { // <- fault: wrong result
            const float4 left = *reinterpret_cast<const float4*>(a + i);
            const float4 right = *reinterpret_cast<const float4*>(b + i);
            *reinterpret_cast<float4*>(c + i) = make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
        }
    }
}
