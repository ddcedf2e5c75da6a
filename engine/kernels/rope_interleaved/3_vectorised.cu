// Rotary position embedding, neighbours as pairs, rung 3: a pair is a float2.
//
// What changed: the two elements of a pair lie side by side, so one access of 8 bytes reads both, and one writes both. All of each
// sector is used at once. As D is even, every pair starts at a multiple of 8 bytes.
//
// A thread owns an angle in the first launch, a pair in the second.
// Launch: first: any block; the grid covers the D / 2 pairs in x, T in y. Second: any block; the grid covers the D / 2 pairs in x, the T · H
// rows in y. D is even.
// Bytes: 8 · T · H · D read (x, and as much of the tables), 4 · T · H · D written; 4 · T · D written for the tables. FLOPs: 3 · T · H · D, and
// a power, a cosine and a sine for each angle.
// Expected of a full warp of one row (256 bytes of x are 8 sectors): loads of x and stores to y 8 sectors per request, half as many requests
// as before; stores to and loads of cosines and sines 4.
// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021.

__global__ void rope_interleaved_vectorised_angles(float* cosines, float* sines, int T, int D, float base) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // pair
    const int t = blockIdx.y * blockDim.y + threadIdx.y; // place in time
    if (t >= T || i >= D / 2) return;
    const float angle = t * powf(base, -2.0f * i / D);
    cosines[t * (D / 2) + i] = cosf(angle);
    sines[t * (D / 2) + i] = sinf(angle);
}

__global__ void rope_interleaved_vectorised(const float2* x, const float* cosines, const float* sines, float2* y, int T, int H, int D) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;   // pair
    const int row = blockIdx.y * blockDim.y + threadIdx.y; // a head of a token
    if (row >= T * H || i >= D / 2) return;
    const int t = row / H, pairs = D / 2;
    const float c = cosines[t * pairs + i], s = sines[t * pairs + i];
    const float2 pair = x[row * pairs + i];
    y[row * pairs + i] = make_float2(fmaf(pair.x, c, -pair.y * s), fmaf(pair.x, s, pair.y * c));
}
