// Largest of 2 × 2 (max pooling), rung 2: a row of a window is a float2.
//
// What changed: the two elements of a window in one row are read at once, 8 bytes: half as many loads, which use all of each sector. Where W
// is odd, every second row starts in the middle of a pair: the elements are read one by one.
//
// A thread owns y[p][h][w] and its switch; a warp 32 neighbours of a row.
// Launch: any block with blockDim.z = 1; the grid covers W / 2 in x, H / 2 in y, and the planes, images times channels, in z.
// Bytes: 4 · planes · H · W read, 2 · planes · H · W written. FLOPs: three comparisons for each window.
// Expected of a full warp of one row (256 bytes are 8 sectors): loads of x 8 sectors per request, half as many requests as before; stores to
// y and switches 4.

__global__ void max_pool2d_pairs(const float* x, float* y, int* switches, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int Ho = H / 2, Wo = W / 2;
    if (h >= Ho || w >= Wo) return;
    const int first = 2 * h * W + 2 * w; // of the window, in the plane
    const float* window = x + blockIdx.z * H * W + first;

    // Load.
    float2 rows[2];
    for (int i = 0; i < 2; ++i) rows[i] = W % 2 == 0 ? *reinterpret_cast<const float2*>(window + i * W) : make_float2(window[i * W], window[i * W + 1]);

    // Compare.
    float largest = -INFINITY;
    int winner = first;
    for (int i = 0; i < 2; ++i) {
        if (rows[i].x > largest || isnan(rows[i].x)) {
            largest = rows[i].x;
            winner = first + i * W;
        }
        if (rows[i].y > largest || isnan(rows[i].y)) {
            largest = rows[i].y;
            winner = first + i * W + 1;
        }
    }

    // Write.
    const int to = (blockIdx.z * Ho + h) * Wo + w;
    y[to] = largest;
    switches[to] = winner;
}
