// Dequantise per channel, rung 1: one thread makes one number.
//
// y (rows, columns) = scales[row] · q: q is int8, and each output channel, a row of a linear layer's weights, has a scale of its own. A
// large weight makes the steps coarse in its own row only.
//
// A thread owns y[row][column]; the lanes of a warp read 32 neighbouring bytes and write 128.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: rows · columns. Bytes: rows · columns, and 4 for each row's scale, read; 4 · rows · columns written.
// Expected of a full warp of one row: loads of q 1 sector per request, of scales 1; stores to y 4.

__global__ void dequantise_channel_naive(const signed char* q, const float* scales, float* y, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    y[row * columns + column] = scales[row] * static_cast<float>(q[row * columns + column]);
}
