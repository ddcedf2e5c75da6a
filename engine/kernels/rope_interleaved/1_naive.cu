// Rotary position embedding, neighbours as pairs, rung 1: a thread for each pair.
//
// Queries and keys get their place in time by a rotation: pair i of a row, (x[2i], x[2i + 1]), is turned by the angle t · base^(-2i / D),
// t the row's place in time. The product of a query and a key then depends on how far apart they are, not on where they are.
//     y[2i]     = x[2i] · cos - x[2i + 1] · sin
//     y[2i + 1] = x[2i] · sin + x[2i + 1] · cos
//
// A thread owns a pair and makes its own power, cosine and sine. The lanes of a warp read every second element, then those in between:
// 8 sectors of 32 bytes for 128 bytes, each time half of them for nothing.
//
// Launch: any block; the grid covers the D / 2 pairs in x, the T · H rows in y. D is even.
// Bytes: 4 · T · H · D read, as many written. FLOPs: 3 · T · H · D, and a power, a cosine and a sine for each pair.
// Expected of a full warp of one row: loads of x and stores to y 8 sectors per request.
// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021.

__global__ void rope_interleaved_naive(const float* x, float* y, int T, int H, int D, float base) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;   // pair
    const int row = blockIdx.y * blockDim.y + threadIdx.y; // a head of a token
    if (row >= T * H || i >= D / 2) return;
    const int t = row / H;
    const float angle = t * powf(base, -2.0f * i / D);
    const float c = cosf(angle), s = sinf(angle);
    const float x0 = x[row * D + 2 * i], x1 = x[row * D + 2 * i + 1];
    y[row * D + 2 * i] = fmaf(x0, c, -x1 * s);
    y[row * D + 2 * i + 1] = fmaf(x0, s, x1 * c);
}
