// Gradient descent, rung 2: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. Arrays
// begin at multiples of 16 bytes, as every allocation does, and so does every fourth element. The last n mod 4 elements go one by one.
//
// A thread owns four neighbours; a warp 128; a block 4 · blockDim.x.
// Launch: 1-D, any block; the grid covers n, 4 · blockDim.x at a time. W_next may be W.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp (512 bytes are 16 sectors): loads of W and g and stores to W_next 16 sectors per request; n / 128 requests
// for each.

__global__ void sgd_vectorised(const float* W, const float* g, float* W_next, float lr, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        const float4 w = *reinterpret_cast<const float4*>(W + i);
        const float4 d = *reinterpret_cast<const float4*>(g + i);
        *reinterpret_cast<float4*>(W_next + i) = make_float4(fmaf(-lr, d.x, w.x), fmaf(-lr, d.y, w.y), fmaf(-lr, d.z, w.z), fmaf(-lr, d.w, w.w));
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) W_next[j] = fmaf(-lr, g[j], W[j]);
    }
}
