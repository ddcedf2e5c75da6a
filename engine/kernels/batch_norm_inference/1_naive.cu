// Batch normalisation after training, rung 1: one thread computes one element, by the definition.
//
// y[n][c][s] = (x[n][c][s] - mean[c]) / √(variance[c] + epsilon) · gamma[c] + beta[c]. Mean and variance are numbers that training has gathered; no
// element needs another, and a single image is normalised like a batch.
//
// A thread owns y[n][c][s]; a warp 32 neighbouring places of a channel, so that its lanes read the same four numbers of it. Each of them takes
// the same root and the same quotient again.
//
// Launch: any block; the grid covers S in x and the N · C planes in y.
// Bytes: 20 · N · C · S read, of which x is a fifth and the rest from the cache, 4 · N · C · S written. FLOPs: 7 · N · C · S.
// Expected of a full warp of one plane: loads of x and stores to y 4 sectors of 32 bytes per request; loads of gamma, beta, mean and variance 1.
// Source: Ioffe and Szegedy, "Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift", 2015.

__global__ void batch_norm_inference_naive(const float* x, const float* gamma, const float* beta, const float* mean, const float* variance, float* y,
                                           int N, int C, int S, float epsilon) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int plane = blockIdx.y * blockDim.y + threadIdx.y; // n · C + c
    if (plane >= N * C || s >= S) return;
    const int c = plane % C;
    const float rstd = 1 / sqrtf(variance[c] + epsilon);
    y[plane * S + s] = fmaf((x[plane * S + s] - mean[c]) * rstd, gamma[c], beta[c]);
}
