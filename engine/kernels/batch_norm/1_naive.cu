// Batch normalisation, rung 1: statistics by a thread for each channel, then a launch that normalises.
//
// y[n][c][s] = (x[n][c][s] - mean[c]) · rstd[c] · gamma[c] + beta[c], in training: mean and variance are those of the batch itself, of each channel
// over all N images and their S places; rstd = 1 / √(variance + epsilon). Every element depends on the whole batch, so no one can
// normalise before all has been read: two launches.
//
// The variance is taken from the distances to the mean, in a second pass: as mean of squares less square of mean it would be a small difference
// of large numbers.
//
// In the first launch a thread owns a channel; its sums are chains in the order of n and s. The lanes of a warp are S elements apart: 32 sectors of
// 32 bytes for 128 bytes. In the second a thread owns y[n][c][s].
//
// Launch: first: 1-D, any block; the grid covers C. Second: any block; the grid covers S in x and the N · C planes in y.
// Bytes: 12 · N · C · S read, 4 · N · C · S written. FLOPs: 8 · N · C · S.
// Expected of full warps: stores to mean and rstd 4 sectors per request; loads of mean, rstd, gamma and beta 1; stores to y 4. Loads of x 32 in
// the first launch, where there are twice as many, and 4 in the second: 22 2/3 on average.
// Source: Ioffe and Szegedy, "Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift", 2015.

__global__ void batch_norm_naive_statistics(const float* x, float* mean, float* rstd, int N, int C, int S, float epsilon) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;

    // Pass 1: the mean.
    float sum = 0;
    for (int n = 0; n < N; ++n)
        for (int s = 0; s < S; ++s) sum += x[(n * C + c) * S + s];
    const float m = sum / (N * S);

    // Pass 2: the variance, from the distances to the mean.
    float squares = 0;
    for (int n = 0; n < N; ++n)
        for (int s = 0; s < S; ++s) {
            const float distance = x[(n * C + c) * S + s] - m;
            squares = fmaf(distance, distance, squares);
        }
    mean[c] = m;
    rstd[c] = 1 / sqrtf(squares / (N * S) + epsilon);
}

__global__ void batch_norm_naive_normalise(const float* x, const float* mean, const float* rstd, const float* gamma, const float* beta, float* y,
                                           int N, int C, int S) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int plane = blockIdx.y * blockDim.y + threadIdx.y; // n · C + c
    if (plane >= N * C || s >= S) return;
    const int c = plane % C;
    y[plane * S + s] = fmaf((x[plane * S + s] - mean[c]) * rstd[c], gamma[c], beta[c]);
}
