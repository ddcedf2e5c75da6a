// Rotary position embedding, halves as pairs, rung 3: sixteen bytes at a time.
//
// What changed: a thread takes four neighbouring pairs, and with them four neighbours of each half of the row and four of each table, all
// as float4: a quarter of the instructions, and more bytes on their way at any time. Where D / 2 is no multiple of 4, the halves do not
// start at multiples of 16 bytes: pairs are taken one by one.
//
// A thread owns an angle in the first launch, four pairs in the second.
// Launch: first: any block; the grid covers the D / 2 pairs in x, T in y. Second: any block; the grid covers the D / 2 pairs in x, four for each
// thread, the T · H rows in y. D is even.
// Bytes: 8 · T · H · D read (x, and as much of the tables), 4 · T · H · D written; 4 · T · D written for the tables. FLOPs: 3 · T · H · D, and
// a power, a cosine and a sine for each angle.
// Expected with D = 64 and blocks 8 wide: loads of x and stores to y 16 sectors per request (four rows' halves of 128 bytes); loads of
// cosines and sines 4, as the four rows are heads of the same token; stores to them 4.
// Source: Su et al., "RoFormer: Enhanced Transformer with Rotary Position Embedding", 2021.

__global__ void rope_half_split_vectorised_angles(float* cosines, float* sines, int T, int D, float base) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // pair
    const int t = blockIdx.y * blockDim.y + threadIdx.y; // place in time
    if (t >= T || i >= D / 2) return;
    const float angle = t * powf(base, -2.0f * i / D);
    cosines[t * (D / 2) + i] = cosf(angle);
    sines[t * (D / 2) + i] = sinf(angle);
}

__global__ void rope_half_split_vectorised(const float* x, const float* cosines, const float* sines, float* y, int T, int H, int D) {
    const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x); // pair
    const int row = blockIdx.y * blockDim.y + threadIdx.y;         // a head of a token
    const int t = row / H, half = D / 2;
    if (row >= T * H || first >= half) return;

    if (half % 4 == 0) {
        const float4 c = *reinterpret_cast<const float4*>(cosines + t * half + first);
        const float4 s = *reinterpret_cast<const float4*>(sines + t * half + first);
        const float4 x0 = *reinterpret_cast<const float4*>(x + row * D + first);
        const float4 x1 = *reinterpret_cast<const float4*>(x + row * D + half + first);
        *reinterpret_cast<float4*>(y + row * D + first) =
            make_float4(fmaf(x0.x, c.x, -x1.x * s.x), fmaf(x0.y, c.y, -x1.y * s.y), fmaf(x0.z, c.z, -x1.z * s.z), fmaf(x0.w, c.w, -x1.w * s.w));
        *reinterpret_cast<float4*>(y + row * D + half + first) =
            make_float4(fmaf(x0.x, s.x, x1.x * c.x), fmaf(x0.y, s.y, x1.y * c.y), fmaf(x0.z, s.z, x1.z * c.z), fmaf(x0.w, s.w, x1.w * c.w));
    } else {
        for (int i = first; i < first + 4 && i < half; ++i) {
            const float c = cosines[t * half + i], s = sines[t * half + i];
            const float x0 = x[row * D + i], x1 = x[row * D + half + i];
            y[row * D + i] = fmaf(x0, c, -x1 * s);
            y[row * D + half + i] = fmaf(x0, s, x1 * c);
        }
    }
}
