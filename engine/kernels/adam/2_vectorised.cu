// Adam, rung 2: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. Every array
// begins at a multiple of 16 bytes, as every allocation does. The last n mod 4 elements go one by one.
//
// A thread owns four neighbours; a warp 128.
// Launch: 1-D, any block; four times the threads of the grid cover n. W_next may be W, m_next m, and v_next v.
// Bytes: 16 · n read, 12 · n written. FLOPs: 12 · n, a root and a division counted as one each.
// Expected of a full warp (512 bytes are 16 sectors): loads of W, g, m and v and stores to W_next, m_next and v_next 16 sectors per request.

/// One element's step: its mean m and mean square v go on in place; the new weight is given back.
static __device__ float step(float w, float g, float& m, float& v, float rate, float keep, float beta1, float rest1, float beta2, float rest2, float root,
                             float epsilon) {
    m = fmaf(beta1, m, rest1 * g);
    v = fmaf(beta2, v, rest2 * g * g);
    return fmaf(-rate, m / fmaf(sqrtf(v), root, epsilon), keep * w);
}

__global__ void adam_vectorised(const float* W, const float* g, const float* m, const float* v, float* W_next, float* m_next, float* v_next,
                                float rate, float keep, float beta1, float rest1, float beta2, float rest2, float root, float epsilon, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        float4 w = *reinterpret_cast<const float4*>(W + i), mean = *reinterpret_cast<const float4*>(m + i), square = *reinterpret_cast<const float4*>(v + i);
        const float4 d = *reinterpret_cast<const float4*>(g + i);
        w.x = step(w.x, d.x, mean.x, square.x, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
        w.y = step(w.y, d.y, mean.y, square.y, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
        w.z = step(w.z, d.z, mean.z, square.z, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
        w.w = step(w.w, d.w, mean.w, square.w, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
        *reinterpret_cast<float4*>(W_next + i) = w;
        *reinterpret_cast<float4*>(m_next + i) = mean;
        *reinterpret_cast<float4*>(v_next + i) = square;
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) {
            float mean = m[j], square = v[j];
            W_next[j] = step(W[j], g[j], mean, square, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
            m_next[j] = mean;
            v_next[j] = square;
        }
    }
}
