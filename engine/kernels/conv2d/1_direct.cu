// Convolution of images, rung 1: one thread computes one element, by the definition.
//
// y[n][o][h][w] = b[o] + Σ_c,i,j weight[o][c][i][j] · x[n][c][h · stride - padding + i][w · stride - padding + j], where x outside is 0. (Strictly
// a cross-correlation.) The sum is one chain of fmaf from b[o] on, in the order of c, i, j. So it is in every rung of this ladder: all of
// them give the same bits.
//
// A thread owns y[n][o][h][w]; a warp 32 neighbours of a row. Its lanes read the same weight, and neighbours of a row of x. Every element of x
// is read O · kernel² times, all but once from a cache.
//
// Launch: any block with blockDim.z = 1; the grid covers Wo in x, Ho in y, and N · O in z.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: 8 for each fmaf, 4 for each element of y written.
// Expected with stride 1 and W = 32: loads of x 4 sectors of 32 bytes per request (a window's column j shifts the 32 neighbours, but what it
// shifts out of the row is not read), loads of weight and b 1, stores to y 4.

__global__ void conv2d_direct(const float* x, const float* weight, const float* b, float* y, int C, int H, int W, int O, int kernel,
                              int stride, int padding, int Ho, int Wo) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int n = blockIdx.z / O, o = blockIdx.z % O;
    if (h >= Ho || w >= Wo) return;

    float sum = b[o];
    for (int c = 0; c < C; ++c)
        for (int i = 0; i < kernel; ++i)
            for (int j = 0; j < kernel; ++j) {
                const int row = h * stride - padding + i;
                const int column = w * stride - padding + j;
                if (row >= 0 && row < H && column >= 0 && column < W)
                    sum = fmaf(weight[((o * C + c) * kernel + i) * kernel + j], x[((n * C + c) * H + row) * W + column], sum);
            }
    y[((n * O + o) * Ho + h) * Wo + w] = sum;
}
