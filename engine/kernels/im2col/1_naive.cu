// Windows as columns (im2col), rung 1: one thread moves one element.
//
// A convolution takes the product of its weights with every window of the image. Written side by side as the columns of a matrix, the windows
// turn it into one matrix product:
//     y[n][(c, i, j)][(h, w)] = x[n][c][h · stride - padding + i][w · stride - padding + j], 0 outside of x
// An element of x goes to as many places as there are windows above it, kernel² with stride 1.
//
// A thread owns an element of y, and takes its place apart: five divisions for one move. Neighbours in a warp are neighbouring positions (h, w),
// so that they write side by side, and read side by side, too, where the stride is 1.
//
// Launch: 1-D, any block; the grid covers the elements of y.
// Bytes: 4 for every element of y read, unless it lies outside, and 4 written. FLOPs: none.
// Expected with stride 1 and W a multiple of 32: loads of x and stores to y 4 sectors of 32 bytes per request; a window's column j shifts
// the 32 neighbours, but what it shifts out of the row is not read.
// Source: Chellapilla, Puri and Simard, "High Performance Convolutional Neural Networks for Document Processing", 2006.

__global__ void im2col_naive(const float* x, float* y, int N, int C, int H, int W, int kernel, int stride, int padding, int Ho, int Wo) {
    const int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place >= N * C * kernel * kernel * Ho * Wo) return;

    // Which position, which element of the window, which channel of which image?
    const int w = place % Wo;
    const int h = place / Wo % Ho;
    const int j = place / (Wo * Ho) % kernel;
    const int i = place / (Wo * Ho * kernel) % kernel;
    const int plane = place / (Wo * Ho * kernel * kernel); // n · C + c

    // Move.
    const int row = h * stride - padding + i;
    const int column = w * stride - padding + j;
    const bool inside = row >= 0 && row < H && column >= 0 && column < W;
    y[place] = inside ? x[(plane * H + row) * W + column] : 0;
}
