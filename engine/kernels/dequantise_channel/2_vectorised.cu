// Dequantise per channel, rung 2: four neighbours per thread.
//
// What changed: a thread reads four bytes as one word, and writes sixteen. Where `columns` is no multiple of 4, rows do not start at whole
// words: there it takes its four elements one by one.
//
// A thread owns y[row][4t … 4t + 3], or what the row has left of these.
// Launch: any block; the grid covers columns in x, four for each thread, and rows in y.
// FLOPs: rows · columns. Bytes: rows · columns, and 4 for each row's scale, read; 4 · rows · columns written.
// Expected of a full warp of one row: loads of q 4 sectors per request, of scales 1; stores to y 16.

__global__ void dequantise_channel_vectorised(const signed char* q, const float* scales, float* y, int rows, int columns) {
    const int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const float s = scales[row];
    if (columns % 4 == 0) {
        const char4 four = *reinterpret_cast<const char4*>(q + row * columns + column);
        *reinterpret_cast<float4*>(y + row * columns + column) =
            make_float4(s * static_cast<float>(four.x), s * static_cast<float>(four.y),
                        s * static_cast<float>(four.z), s * static_cast<float>(four.w));
    } else {
        for (int j = column; j < column + 4 && j < columns; ++j) y[row * columns + j] = s * static_cast<float>(q[row * columns + j]);
    }
}
