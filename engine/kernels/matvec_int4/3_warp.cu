// 4-bit weights times vector, rung 3: a warp for each row.
//
// What changed: the lanes of a warp share a row and read neighbouring words: 4 sectors for 128 bytes, 256 weights at once. Four lanes work
// on one group and read the same scale and zero point. Lane l adds up its words l, l + 32, … in that order; then the 32 sums are added in
// five steps by shuffles, at distances 16, 8, 4, 2, 1.
//
// The price: in x the lanes are eight elements apart, 32 sectors. But x is short and used by every row: these come from the cache.
//
// A lane owns every 32nd word of a row; a warp owns y[row].
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// FLOPs: 3 · M · K. Bytes asked of global memory: (4 + 1/2 + 5/8) · M · K read, 4 · M written.
// Expected of a full warp: loads of weights 4 sectors per request, of scales (8 floats) and zeros (8 bytes) 1, of x 32; stores to y 1, by
// one lane.

constexpr int group_size = 32; // weights with one scale and zero point
constexpr int word_size = 8;   // weights in 32 bits

__global__ void matvec_int4_warp(const unsigned char* weights, const float* scales, const unsigned char* zeros, const float* x, float* y,
                                 int M, int K) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= M) return; // a whole warp together
    const int groups = (K + group_size - 1) / group_size; // of a row
    const unsigned* words = reinterpret_cast<const unsigned*>(weights) + row * groups * (group_size / word_size);

    // Each lane's part.
    float sum = 0;
    for (int k0 = lane * word_size; k0 < K; k0 += 32 * word_size) {
        const unsigned word = words[k0 / word_size]; // the first weight in its lowest bits
        const float scale = scales[row * groups + k0 / group_size];
        const int zero = zeros[row * groups + k0 / group_size];
        for (int i = 0; i < word_size && k0 + i < K; ++i) {
            const int q = word >> 4 * i & 15;
            const float w = scale * static_cast<float>(q - zero);
            sum = fmaf(w, x[k0 + i], sum);
        }
    }

    // All parts: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
