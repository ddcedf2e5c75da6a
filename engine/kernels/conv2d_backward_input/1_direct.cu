// Gradient of a convolution's input, rung 1: every element gathers what comes back to it.
//
// Forward: y[n][o][h][w] = Σ_c,i,j weight[o][c][i][j] · x[n][c][h · stride - padding + i][w · stride - padding + j]. Backward, one could let every
// dy add to the x it came from; but many add to the same one, which takes atomics. Turned round, an x asks who has seen it:
//     dx[n][c][row][column] = Σ_o,i,j weight[o][c][i][j] · dy[n][o][h][w]
// with h · stride = row + padding - i and w · stride = column + padding - j, for those i and j for which there is such an h and w. With
// stride 1 that is again a convolution, by weights turned upside down.
//
// A thread owns dx[n][c][row][column]; a warp 32 neighbours of a row. The sum is one chain of fmaf in the order of o, i, j.
// Launch: any block with blockDim.z = 1; the grid covers W in x, H in y, and N · C in z.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: 8 for each fmaf, 4 for each element of dx written.
// Expected with stride 1, padding (kernel - 1) / 2 and W = 32: loads of dy 4 sectors of 32 bytes per request (what a window's column shifts
// out of the row is not read), loads of weight 1, stores to dx 4.

__global__ void conv2d_backward_input_direct(const float* dy, const float* weight, float* dx, int C, int H, int W, int O, int kernel,
                                             int stride, int padding, int Ho, int Wo) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int n = blockIdx.z / C, c = blockIdx.z % C;
    if (row >= H || column >= W) return;

    float sum = 0;
    for (int o = 0; o < O; ++o)
        for (int i = 0; i < kernel; ++i)
            for (int j = 0; j < kernel; ++j) {
                const int down = row + padding - i; // h · stride
                const int right = column + padding - j;
                if (down < 0 || right < 0 || down % stride != 0 || right % stride != 0) continue;
                const int h = down / stride, w = right / stride;
                if (h < Ho && w < Wo) sum = fmaf(weight[((o * C + c) * kernel + i) * kernel + j], dy[((n * O + o) * Ho + h) * Wo + w], sum);
            }
    dx[((n * C + c) * H + row) * W + column] = sum;
}
