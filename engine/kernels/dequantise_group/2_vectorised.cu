// Dequantise 4-bit groups, rung 2: four neighbours per thread.
//
// What changed: a thread reads 16 bits, four weights of one group, and takes them apart in a register; it reads scale and zero point once,
// and writes sixteen bytes. (Eight weights from 32 bits would write twice sixteen, each time with gaps between the lanes.) Where `columns`
// is no multiple of 4, rows of y do not start at multiples of 16 bytes: there it writes one by one. Rows of weights are padded, and always
// start at whole words.
//
// A thread owns y[row][4t … 4t + 3], or what the row has left of these; the lanes of a warp read 64 bytes, four groups.
// Launch: any block; the grid covers columns in x, four for each thread, and rows in y.
// FLOPs: rows · columns. Bytes: rows · columns / 2, and 5 for each group, read; 4 · rows · columns written.
// Expected of a full warp of one row: loads of weights 2 sectors per request, of scales and zeros 1; stores to y 16.

constexpr int group_size = 32; // weights with one scale and zero point

__global__ void dequantise_group_vectorised(const unsigned char* weights, const float* scales, const unsigned char* zeros, float* y,
                                            int rows, int columns) {
    const int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int groups = (columns + group_size - 1) / group_size; // of a row

    // Load.
    const unsigned short* fours = reinterpret_cast<const unsigned short*>(weights) + row * groups * (group_size / 4);
    const int four = fours[column / 4]; // the first weight in its lowest bits
    const float scale = scales[row * groups + column / group_size];
    const int zero = zeros[row * groups + column / group_size];

    // Compute.
    float w[4];
    for (int i = 0; i < 4; ++i) w[i] = scale * static_cast<float>((four >> 4 * i & 15) - zero);

    // Write.
    float* to = y + row * columns + column;
    if (columns % 4 == 0) *reinterpret_cast<float4*>(to) = make_float4(w[0], w[1], w[2], w[3]);
    else
        for (int i = 0; i < 4 && column + i < columns; ++i) to[i] = w[i];
}
