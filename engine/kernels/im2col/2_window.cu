// Windows as columns (im2col), rung 2: one thread moves one window of a channel.
//
// What changed: a thread takes its place apart once and then moves kernel² elements, with additions only. Neighbours in a warp still are
// neighbouring positions, so that each of the moves is side by side; and the windows of neighbours share most of their elements, which
// come from the cache.
//
// A thread owns the window of one channel at one position: kernel² elements of y, Ho · Wo apart; a warp 32 neighbouring positions.
// Launch: 1-D, any block; the grid covers N · C · Ho · Wo.
// Bytes: 4 for every element of y read, unless it lies outside, and 4 written. FLOPs: none.
// Expected with stride 1 and W a multiple of 32: loads of x and stores to y 4 sectors per request.
// Source: the im2col of Caffe, Jia et al. 2014.

__global__ void im2col_window(const float* x, float* y, int N, int C, int H, int W, int kernel, int stride, int padding, int Ho, int Wo) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= N * C * Ho * Wo) return;
    const int w = place % Wo;
    const int h = place / Wo % Ho;
    const int plane = place / (Wo * Ho); // n · C + c
    const float* from = x + plane * H * W;
    float* to = y + plane * kernel * kernel * Ho * Wo + h * Wo + w;

    for (int i = 0; i < kernel; ++i) {
        const int row = h * stride - padding + i;
        for (int j = 0; j < kernel; ++j) {
            const int column = w * stride - padding + j;
            const bool inside = row >= 0 && row < H && column >= 0 && column < W;
            *to = inside ? from[row * W + column] : 0;
            to += Ho * Wo;
        }
    }
}
