// 4-bit weights times vector, rung 1: one thread computes one element.
//
// y (M) = W (M, K) · x (K), the product that a language model spends its time on when it writes one token after the other. A weight is
// stored in 4 bits, as q = 0 … 15, and 32 neighbours of a row form a group with a scale and a zero point: w = scale · (q − zero). Two
// weights share a byte, the first in the low half. Rows are padded to whole groups of 16 bytes; the last group's padding is not used.
//
// A thread owns y[row] and walks along its row, weight by weight. The sum is one chain of fmaf in the order of k. The lanes of a warp are
// a row apart: 32 sectors of 32 bytes, of which each lane uses half a byte.
//
// Launch: 1-D, any block; the grid covers the rows.
// FLOPs: 3 · M · K. Bytes of W: M · K / 2, and 5 for each group: an eighth of fp32's and a little; asked of global memory: 10 · M · K read,
// 4 · M written.
// Expected of a full warp: loads of weights, scales and zeros 32 sectors per request, loads of x 1, stores to y 4.
// Source: Frantar et al., "GPTQ: Accurate Post-Training Quantization for Generative Pre-trained Transformers", 2022.

constexpr int group_size = 32; // weights with one scale and zero point

__global__ void matvec_int4_naive(const unsigned char* weights, const float* scales, const unsigned char* zeros, const float* x, float* y,
                                  int M, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    const int groups = (K + group_size - 1) / group_size; // of a row

    float sum = 0;
    for (int k = 0; k < K; ++k) {
        const int byte = weights[row * groups * (group_size / 2) + k / 2];
        const int q = k % 2 == 0 ? byte & 15 : byte >> 4;
        const int group = row * groups + k / group_size;
        const float w = scales[group] * static_cast<float>(q - zeros[group]);
        sum = fmaf(w, x[k], sum);
    }
    y[row] = sum;
}
