// Dequantise 4-bit groups, rung 1: one thread makes one number.
//
// y (rows, columns) = scale · (q − zero): q = 0 … 15, and 32 neighbours of a row form a group with a scale and a zero point. With so few
// steps a scale for a whole row would be too coarse. Two weights share a byte, the first in the low half; rows are padded to whole groups
// of 16 bytes.
//
// A thread owns y[row][column], and two threads read the same byte: the 32 lanes of a warp read 16 bytes, one group.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: rows · columns. Bytes: rows · columns / 2, and 5 for each group, read; 4 · rows · columns written.
// Expected of a full warp of one row: loads of weights, scales and zeros 1 sector per request; stores to y 4.
// Source: Frantar et al., "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers", 2022.

constexpr int group_size = 32; // weights with one scale and zero point

__global__ void dequantise_group_naive(const unsigned char* weights, const float* scales, const unsigned char* zeros, float* y,
                                       int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;
    const int groups = (columns + group_size - 1) / group_size; // of a row

    const int byte = weights[row * groups * (group_size / 2) + column / 2];
    const int q = column % 2 == 0 ? byte & 15 : byte >> 4;
    const int group = row * groups + column / group_size;
    y[row * columns + column] = scales[group] * static_cast<float>(q - zeros[group]);
}
