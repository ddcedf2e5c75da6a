// Gradient descent with momentum, rung 2: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. Arrays
// begin at multiples of 16 bytes, as every allocation does, and so does every fourth element. The last n mod 4 elements go one by one.
//
// A thread owns four neighbours; a warp 128; a block 4 · blockDim.x.
// Launch: 1-D, any block; the grid covers n, 4 · blockDim.x at a time. W_next may be W, and v_next v.
// Bytes: 12 · n read, 8 · n written. FLOPs: 4 · n.
// Expected of a full warp (512 bytes are 16 sectors): loads of W, g and v and stores to W_next and v_next 16 sectors per request; n / 128 requests
// for each.

__global__ void momentum_vectorised(const float* W, const float* g, const float* v, float* W_next, float* v_next, float lr, float mu, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        const float4 w = *reinterpret_cast<const float4*>(W + i);
        const float4 d = *reinterpret_cast<const float4*>(g + i);
        float4 velocity = *reinterpret_cast<const float4*>(v + i);
        velocity = make_float4(fmaf(mu, velocity.x, d.x), fmaf(mu, velocity.y, d.y), fmaf(mu, velocity.z, d.z), fmaf(mu, velocity.w, d.w));
        *reinterpret_cast<float4*>(v_next + i) = velocity;
        *reinterpret_cast<float4*>(W_next + i) = make_float4(fmaf(-lr, velocity.x, w.x), fmaf(-lr, velocity.y, w.y),
                                                             fmaf(-lr, velocity.z, w.z), fmaf(-lr, velocity.w, w.w));
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) {
            const float velocity = fmaf(mu, v[j], g[j]);
            v_next[j] = velocity;
            W_next[j] = fmaf(-lr, velocity, W[j]);
        }
    }
}
