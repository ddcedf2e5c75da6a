// 4-bit weights times vector, rung 2: eight weights in a word.
//
// What changed: a thread reads 32 bits at a time, eight weights, and takes them apart in a register; scale and zero point are read once for
// a group. The sum is the same chain as before, so it has the same bits; an eighth of the loads of weights, a 32nd of those of scales.
//
// A thread owns y[row]; the lanes of a warp are still a row apart.
// Launch: 1-D, any block; the grid covers the rows.
// FLOPs: 3 · M · K. Bytes asked of global memory: (4 + 1/2 + 5/32) · M · K read, 4 · M written.
// Expected of a full warp: loads of weights, scales and zeros 32 sectors per request, loads of x 1, stores to y 4.

constexpr int group_size = 32; // weights with one scale and zero point
constexpr int word_size = 8;   // weights in 32 bits

__global__ void matvec_int4_packed(const unsigned char* weights, const float* scales, const unsigned char* zeros, const float* x, float* y,
                                   int M, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M) return;
    const int groups = (K + group_size - 1) / group_size; // of a row
    const unsigned* words = reinterpret_cast<const unsigned*>(weights) + row * groups * (group_size / word_size);

    float sum = 0;
    for (int group = 0; group < groups; ++group) {
        const float scale = scales[row * groups + group];
        const int zero = zeros[row * groups + group];
        for (int k0 = group * group_size; k0 < (group + 1) * group_size && k0 < K; k0 += word_size) {
            const unsigned word = words[k0 / word_size]; // the first weight in its lowest bits
            for (int i = 0; i < word_size && k0 + i < K; ++i) {
                const int q = word >> 4 * i & 15;
                const float w = scale * static_cast<float>(q - zero);
                sum = fmaf(w, x[k0 + i], sum);
            }
        }
    }
    y[row] = sum;
}
