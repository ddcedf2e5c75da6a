// Dequantise per tensor, rung 1: one thread makes one number.
//
// y (n) = scale · q: q is int8, and one scale holds for the whole tensor. A large element anywhere makes the scale large and the steps
// coarse everywhere; scales for each channel or group are the answer of the ladders dequantise_channel and dequantise_group.
//
// A thread owns y[i]. The lanes of a warp read 32 neighbouring bytes and write 128.
// Launch: 1-D, any block; the grid covers the elements.
// FLOPs: n. Bytes: n read (and the scale, the same for all), 4 · n written.
// Expected of a full warp: loads of q 1 sector per request, of scale 1; stores to y 4.

__global__ void dequantise_tensor_naive(const signed char* q, const float* scale, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scale[0] * static_cast<float>(q[i]);
}
