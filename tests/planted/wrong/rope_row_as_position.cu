// All heads of a token stand at the same position.
//
// rung: rope_half_split/1_naive
// set: T=9
// expect: wrong result in y

__global__ void rope_half_split_naive(const float* x, float* y, int T, int H, int D, float base) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;   // pair
    const int row = blockIdx.y * blockDim.y + threadIdx.y; // a head of a token
    if (row >= T * H || i >= D / 2) return;
    const int t = row / H, half = D / 2;
    const float angle = row * powf(base, -2.0f * i / D); // <- fault: wrong result
    const float c = cosf(angle), s = sinf(angle);
    const float x0 = x[row * D + i], x1 = x[row * D + half + i];
    y[row * D + i] = fmaf(x0, c, -x1 * s);
    y[row * D + half + i] = fmaf(x0, s, x1 * c);
}
