// SiLU, rung 3: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. x and y
// begin at multiples of 16 bytes, as every allocation does, and so does every fourth element. The last n mod 4 elements go one by one.
//
// A thread owns fours of neighbours, in steps of the whole grid; a warp owns runs of 128 neighbours.
// Launch: 1-D, any block, any grid; n plus four times the threads of the grid stay below 2³¹.
// Bytes: 4 · n read, 4 · n written. FLOPs: 3 · n, an exponential counted as one.
// Expected of a full warp (512 bytes are 16 sectors): loads of x and stores to y 16 sectors per request; n / 128 requests for each.

__device__ float silu(float x) { return x / (1 + expf(-x)); }

__global__ void activation_silu_vectorised(const float* x, float* y, int n) {
    const int stride = 4 * gridDim.x * blockDim.x; // elements that the grid takes at once
    for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
        if (i + 4 <= n) {
            const float4 four = *reinterpret_cast<const float4*>(x + i);
            *reinterpret_cast<float4*>(y + i) = make_float4(silu(four.x), silu(four.y), silu(four.z), silu(four.w));
        } else { // the end: fewer than four
            for (int j = i; j < n; ++j) y[j] = silu(x[j]);
        }
    }
}
