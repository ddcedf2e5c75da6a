// Scaled sum, rung 2: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. Arrays
// begin at multiples of 16 bytes, as every allocation does, and so does every fourth element. The last n mod 4 elements go one by one.
//
// A thread owns four neighbours; a warp 128; a block 4 · blockDim.x.
// Launch: 1-D, any block; the grid covers n, 4 · blockDim.x at a time. z may be y.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp (512 bytes are 16 sectors): loads of x and y and stores to z 16 sectors per request; n / 128 requests
// for each.

__global__ void scale_add_vectorised(float a, const float* x, const float* y, float* z, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        const float4 u = *reinterpret_cast<const float4*>(x + i);
        const float4 v = *reinterpret_cast<const float4*>(y + i);
        *reinterpret_cast<float4*>(z + i) = make_float4(fmaf(a, u.x, v.x), fmaf(a, u.y, v.y), fmaf(a, u.z, v.z), fmaf(a, u.w, v.w));
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) z[j] = fmaf(a, x[j], y[j]);
    }
}
