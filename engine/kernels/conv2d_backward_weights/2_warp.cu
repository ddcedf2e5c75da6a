// Gradient of a convolution's weights, rung 2: a warp for each weight.
//
// What changed: weights are few, positions many. So the lanes of a warp share a weight and take neighbouring positions: they read neighbours of dy
// and, with stride 1, of x. Then shuffles add up the lanes' sums in five steps.
//
// A lane owns every 32nd position p = h · Wo + w of every image; a warp owns a weight, in the second launch a bias. Sums in the order of n and of a
// lane's positions, then by shuffles at distances 16, 8, 4, 2, 1.
// Launch: blockDim = (32, warps), any number of warps; first: the grid covers O · C · kernel² weights, second: O.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: 8 for each fmaf, 4 for each weight and bias written.
// Expected with stride 1 and W = 32: loads of dy and x 4 sectors per request (what a window's column shifts out of the row is not read);
// stores to dweight and db 1, by one lane.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void conv2d_backward_weights_warp(const float* dy, const float* x, float* dweight, int N, int C, int H, int W, int O, int kernel,
                                             int stride, int padding, int Ho, int Wo) {
    const int place = blockIdx.x * blockDim.y + threadIdx.y; // of the weight
    const int lane = threadIdx.x;
    const int K = C * kernel * kernel, P = Ho * Wo;
    if (place >= O * K) return; // a whole warp together
    const int o = place / K, k = place % K;
    const int c = k / (kernel * kernel), i = k / kernel % kernel, j = k % kernel;

    // Each lane's part.
    float sum = 0;
    for (int n = 0; n < N; ++n)
        for (int p = lane; p < P; p += 32) {
            const int row = p / Wo * stride - padding + i;
            const int column = p % Wo * stride - padding + j;
            if (row >= 0 && row < H && column >= 0 && column < W)
                sum = fmaf(dy[(n * O + o) * P + p], x[((n * C + c) * H + row) * W + column], sum);
        }

    // The weight's.
    sum = warp_sum(sum);
    if (lane == 0) dweight[place] = sum;
}

__global__ void conv2d_backward_weights_warp_bias(const float* dy, float* db, int N, int O, int P) {
    const int o = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (o >= O) return; // a whole warp together
    float sum = 0;
    for (int n = 0; n < N; ++n)
        for (int p = lane; p < P; p += 32) sum += dy[(n * O + o) * P + p];
    sum = warp_sum(sum);
    if (lane == 0) db[o] = sum;
}
