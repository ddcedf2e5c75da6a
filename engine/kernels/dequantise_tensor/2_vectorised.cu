// Dequantise per tensor, rung 2: four neighbours per thread.
//
// What changed: a thread reads four bytes as one word and writes sixteen, so that a quarter of the instructions move the same bytes, and
// every request is as wide as it can be.
//
// A thread owns y[4t … 4t + 3]; the last one may own fewer and takes them one by one.
// Launch: 1-D, any block; the grid covers the elements, four for each thread.
// FLOPs: n. Bytes: n read (and the scale, the same for all), 4 · n written.
// Expected of a full warp: loads of q 4 sectors per request, of scale 1; stores to y 16.

__global__ void dequantise_tensor_vectorised(const signed char* q, const float* scale, float* y, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float s = scale[0];
    if (i + 3 < n) {
        const char4 four = *reinterpret_cast<const char4*>(q + i);
        *reinterpret_cast<float4*>(y + i) = make_float4(s * static_cast<float>(four.x), s * static_cast<float>(four.y),
                                                        s * static_cast<float>(four.z), s * static_cast<float>(four.w));
    } else {
        for (int j = i; j < n; ++j) y[j] = s * static_cast<float>(q[j]);
    }
}
