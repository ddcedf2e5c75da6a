// Rotary position embedding, neighbours as pairs, rung 2: cosines and sines from a table.
//
// What changed: an angle depends on time and pair alone, so all heads share it, and all layers of a model, for queries and keys. A first
// launch makes a table of cosines and sines, which a model would do once; the second reads them. Power, cosine and sine are many
// instructions each; a load from a table that lies in the L2 cache is one.
//
// A thread owns an angle in the first launch, a pair in the second.
// Launch: first: any block; the grid covers the D / 2 pairs in x, T in y. Second: any block; the grid covers the D / 2 pairs in x, the T · H
// rows in y. D is even.
// Bytes: 8 · T · H · D read (x, and as much of the tables), 4 · T · H · D written; 4 · T · D written for the tables. FLOPs: 3 · T · H · D, and
// a power, a cosine and a sine for each angle.
// Expected of a full warp of one row: loads of x and stores to y 8 sectors per request; stores to and loads of cosines and sines 4.
// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021.

__global__ void rope_interleaved_table_angles(float* cosines, float* sines, int T, int D, float base) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // pair
    const int t = blockIdx.y * blockDim.y + threadIdx.y; // place in time
    if (t >= T || i >= D / 2) return;
    const float angle = t * powf(base, -2.0f * i / D);
    cosines[t * (D / 2) + i] = cosf(angle);
    sines[t * (D / 2) + i] = sinf(angle);
}

__global__ void rope_interleaved_table(const float* x, const float* cosines, const float* sines, float* y, int T, int H, int D) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;   // pair
    const int row = blockIdx.y * blockDim.y + threadIdx.y; // a head of a token
    if (row >= T * H || i >= D / 2) return;
    const int t = row / H;
    const float c = cosines[t * (D / 2) + i], s = sines[t * (D / 2) + i];
    const float x0 = x[row * D + 2 * i], x1 = x[row * D + 2 * i + 1];
    y[row * D + 2 * i] = fmaf(x0, c, -x1 * s);
    y[row * D + 2 * i + 1] = fmaf(x0, s, x1 * c);
}
