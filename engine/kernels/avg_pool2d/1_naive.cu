// Mean of 2 × 2 (average pooling), rung 1: one thread for each window.
//
// y[p][h][w] is the mean of the four elements of x[p] from row 2h and column 2w on, added up in the order of the rows; a last odd row or column
// has no window. The times ¼ is exact.
//
// A thread owns y[p][h][w]; a warp 32 neighbours of a row. The lanes read every second element: the four loads touch each sector twice.
//
// Launch: any block with blockDim.z = 1; the grid covers W / 2 in x, H / 2 in y, and the planes, images times channels, in z.
// Bytes: 4 · planes · H · W read, planes · H · W written. FLOPs: four for each window.
// Expected of a full warp of one row: loads of x 8 sectors of 32 bytes per request, half of them used; stores to y 4.

__global__ void avg_pool2d_naive(const float* x, float* y, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int Ho = H / 2, Wo = W / 2;
    if (h >= Ho || w >= Wo) return;
    const float* window = x + (blockIdx.z * H + 2 * h) * W + 2 * w;
    float sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) sum += window[i * W + j];
    y[(blockIdx.z * Ho + h) * Wo + w] = 0.25f * sum;
}
