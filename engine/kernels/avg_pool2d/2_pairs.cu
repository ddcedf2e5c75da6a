// Mean of 2 × 2 (average pooling), rung 2: a row of a window is a float2.
//
// What changed: the two elements of a window in one row are read at once, 8 bytes: half as many loads, which use all of each sector. Where W
// is odd, every second row starts in the middle of a pair: the elements are read one by one. They are added up in the same order.
//
// A thread owns y[p][h][w]; a warp 32 neighbours of a row.
// Launch: any block with blockDim.z = 1; the grid covers W / 2 in x, H / 2 in y, and the planes, images times channels, in z.
// Bytes: 4 · planes · H · W read, planes · H · W written. FLOPs: four for each window.
// Expected of a full warp of one row (256 bytes are 8 sectors): loads of x 8 sectors per request, half as many requests as before; stores to y 4.

__global__ void avg_pool2d_pairs(const float* x, float* y, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int Ho = H / 2, Wo = W / 2;
    if (h >= Ho || w >= Wo) return;
    const float* window = x + (blockIdx.z * H + 2 * h) * W + 2 * w;
    float sum = 0;
    for (int i = 0; i < 2; ++i) {
        const float2 row = W % 2 == 0 ? *reinterpret_cast<const float2*>(window + i * W) : make_float2(window[i * W], window[i * W + 1]);
        sum += row.x;
        sum += row.y;
    }
    y[(blockIdx.z * Ho + h) * Wo + w] = 0.25f * sum;
}
