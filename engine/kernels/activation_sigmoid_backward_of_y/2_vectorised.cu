// Gradient of the sigmoid, from its output, rung 2: sixteen bytes at a time.
//
// What changed: a thread takes four neighbours at once, as float4: the same bytes with a quarter of the load and store instructions. Every array
// begins at a multiple of 16 bytes, as every allocation does. The last n mod 4 elements go one by one.
//
// A thread owns four neighbours of dx; a warp 128.
// Launch: 1-D, any block; four times the threads of the grid cover n.
// Bytes: 8 · n read, 4 · n written. FLOPs: 3 · n.
// Expected of a full warp (512 bytes are 16 sectors): loads of y and dy and stores to dx 16 sectors per request; n / 128 requests for each.

__device__ float sigmoid_backward(float y, float dy) { return dy * y * (1 - y); }

__global__ void activation_sigmoid_backward_of_y_vectorised(const float* y, const float* dy, float* dx, int n) {
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 4 <= n) {
        const float4 four_y = *reinterpret_cast<const float4*>(y + i);
        const float4 four_dy = *reinterpret_cast<const float4*>(dy + i);
        *reinterpret_cast<float4*>(dx + i) = make_float4(sigmoid_backward(four_y.x, four_dy.x), sigmoid_backward(four_y.y, four_dy.y),
                                                         sigmoid_backward(four_y.z, four_dy.z), sigmoid_backward(four_y.w, four_dy.w));
    } else { // the end: fewer than four, or none
        for (int j = i; j < n; ++j) dx[j] = sigmoid_backward(y[j], dy[j]);
    }
}
