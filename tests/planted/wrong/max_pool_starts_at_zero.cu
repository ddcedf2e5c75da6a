// The largest of negative numbers is not 0.
//
// rung: max_pool2d/1_naive
// expect: wrong result in y, switches

__global__ void max_pool2d_naive(const float* x, float* y, int* switches, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int Ho = H / 2, Wo = W / 2;
    if (h >= Ho || w >= Wo) return;
    const float* plane = x + blockIdx.z * H * W;
    const int first = 2 * h * W + 2 * w; // of the window, in the plane

    float largest = 0; // <- fault: wrong result
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
