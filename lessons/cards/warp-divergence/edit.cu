// Elements of even index are computed in one way, those of odd index in another. Here neighbouring threads take neighbouring elements, so
// each warp goes both ways, with 16 lanes each time.
//
// The grid covers n, rounded up to a multiple of 64; blocks are whole warps.

constexpr int rounds = 8;

__global__ void branch_parity_by_warp(const float* x, float* y, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // Yours: which element a thread takes, and the condition: so that all lanes of a warp go the same way. Half of the warps go each way.
    const int i = thread;
    if (i >= n) return;
    if (i % 2 == 0) {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.75f, 0.125f);
        y[i] = v;
    } else {
        float v = x[i];
        for (int round = 0; round < rounds; ++round) v = fmaf(v, 0.5f, 0.25f);
        y[i] = v;
    }
}
