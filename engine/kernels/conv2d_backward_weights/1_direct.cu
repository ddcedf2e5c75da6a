// Gradient of a convolution's weights, rung 1: one thread for each weight.
//
// Forward: y[n][o][h][w] = b[o] + Σ_c,i,j weight[o][c][i][j] · x[n][c][h · stride - padding + i][w · stride - padding + j]. A weight met every
// position of every image; each of them told it dy times what it was multiplied by:
//     dweight[o][c][i][j] = Σ_n,h,w dy[n][o][h][w] · x[n][c][h · stride - padding + i][w · stride - padding + j],   db[o] = Σ_n,h,w dy[n][o][h][w]
//
// A thread owns a weight, o · C · kernel² + k in memory with k = (c, i, j); in the second launch a bias. Neighbouring lanes have neighbouring k:
// they read the same dy, and x in pieces of a window's rows. The sums are chains of fmaf in the order of n, h, w.
//
// Launch: first: any block; the grid covers C · kernel² in x and O in y. Second: 1-D, any block; the grid covers O.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: 8 for each fmaf, 4 for each weight and bias written.
// Expected with stride 1, padding 1, 3 × 3 windows of 32 channels, images of 8 × 32, 8 output channels and a block of (32, 1): a warp has 32 of 288
// k. Loads of dy 1 sector of 32 bytes per request in the first launch and 8, one for each lane, in the second, of which there is one for 72
// of the first: 80 / 73 = 1.1 on average. Loads of x 12.1, by where the windows' rows fall: 55,968 sectors for 4,608 requests of an output channel.
// Stores to dweight 4, stores to db 1.

__global__ void conv2d_backward_weights_direct(const float* dy, const float* x, float* dweight, int N, int C, int H, int W, int O, int kernel,
                                               int stride, int padding, int Ho, int Wo) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    const int o = blockIdx.y * blockDim.y + threadIdx.y;
    const int K = C * kernel * kernel;
    if (k >= K || o >= O) return;
    const int c = k / (kernel * kernel), i = k / kernel % kernel, j = k % kernel;

    float sum = 0;
    for (int n = 0; n < N; ++n)
        for (int h = 0; h < Ho; ++h)
            for (int w = 0; w < Wo; ++w) {
                const int row = h * stride - padding + i;
                const int column = w * stride - padding + j;
                if (row >= 0 && row < H && column >= 0 && column < W)
                    sum = fmaf(dy[((n * O + o) * Ho + h) * Wo + w], x[((n * C + c) * H + row) * W + column], sum);
            }
    dweight[o * K + k] = sum;
}

__global__ void conv2d_backward_weights_direct_bias(const float* dy, float* db, int N, int O, int P) {
    const int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= O) return;
    float sum = 0;
    for (int n = 0; n < N; ++n)
        for (int p = 0; p < P; ++p) sum += dy[(n * O + o) * P + p];
    db[o] = sum;
}
