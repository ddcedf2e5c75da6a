// Vector sum, rung 3: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4. The bytes stay the same, but a quarter of the load and store
// instructions moves them, and each has four times the bytes on their way. a, b and c begin at multiples of 16 bytes, as every
// allocation does, and so does every fourth element. The last n mod 4 elements go one by one.
//
// A thread owns fours of neighbours, in steps of the whole grid; a warp owns runs of 128 neighbours.
// Launch: 1-D, any block, any grid; n plus four times the threads of the grid stay below 2³¹.
// Bytes: 8 · n read, 4 · n written. FLOPs: n.
// Expected of a full warp (512 bytes are 16 sectors): loads of a and b and stores to c 16 sectors per request; n / 128 requests for each.

__global__ void vector_add_vectorised(const float* a, const float* b, float* c, int n) {
    const int stride = 4 * gridDim.x * blockDim.x; // elements that the grid takes at once
    for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
        if (i + 4 <= n) {
            const float4 left = *reinterpret_cast<const float4*>(a + i);
            const float4 right = *reinterpret_cast<const float4*>(b + i);
            *reinterpret_cast<float4*>(c + i) = make_float4(left.x + right.x, left.y + right.y, left.z + right.z, left.w + right.w);
        } else { // the end: fewer than four
            for (int j = i; j < n; ++j) c[j] = a[j] + b[j];
        }
    }
}
