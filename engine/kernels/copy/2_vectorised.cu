// Copy, rung 2: sixteen bytes at a time.
//
// What changed: a thread moves four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions, each with
// four times the bytes on their way. x and y begin at multiples of 16 bytes, as every allocation does, and so does every fourth element. The
// last n mod 4 elements go one by one.
//
// A thread owns four neighbours; a warp 128; a block 4 · blockDim.x.
// Launch: 1-D, any block; the grid covers n, 4 · blockDim.x at a time.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp (512 bytes are 16 sectors): loads of x and stores to y 16 sectors per request; n / 128 requests for each.

__global__ void copy_vectorised(const float* x, float* y, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        *reinterpret_cast<float4*>(y + i) = *reinterpret_cast<const float4*>(x + i);
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) y[j] = x[j];
    }
}
