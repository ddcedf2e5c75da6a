// Largest of 2 × 2 (max pooling), rung 1: one thread for each window.
//
// y[p][h][w] is the largest of the four elements of x[p] from row 2h and column 2w on; a last odd row or column has no window. switches
// keeps where in the plane it was, for in the backward pass the gradient goes to the winner alone. Of several alike the first wins; a NaN
// counts as largest, so that it is not lost.
//
// A thread owns y[p][h][w] and its switch; a warp 32 neighbours of a row. The lanes read every second element: the four loads touch each sector
// twice.
//
// Launch: any block with blockDim.z = 1; the grid covers W / 2 in x, H / 2 in y, and the planes, images times channels, in z.
// Bytes: 4 · planes · H · W read, 2 · planes · H · W written. FLOPs: three comparisons for each window.
// Expected of a full warp of one row: loads of x 8 sectors of 32 bytes per request, half of them used; stores to y and switches 4.

__global__ void max_pool2d_naive(const float* x, float* y, int* switches, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int Ho = H / 2, Wo = W / 2;
    if (h >= Ho || w >= Wo) return;
    const float* plane = x + blockIdx.z * H * W;
    const int first = 2 * h * W + 2 * w; // of the window, in the plane

    float largest = -INFINITY;
    int winner = first;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const float value = plane[first + i * W + j];
            if (value > largest || isnan(value)) {
                largest = value;
                winner = first + i * W + j;
            }
        }
    const int to = (blockIdx.z * Ho + h) * Wo + w;
    y[to] = largest;
    switches[to] = winner;
}
