// Batch normalisation after training, rung 2: folded into one multiply-add.
//
// What changed: all but x is constant, so that the formula is a straight line in x:
//     y = x · scale + shift,   scale = gamma / √(variance + epsilon),   shift = beta - mean · scale
// A first launch makes scale and shift, once for every model; then an element takes one fmaf. Before a convolution's output is written,
// scale can even go into its weights and shift into its bias, and nothing is left to do.
//
// In the first launch a thread owns a channel, in the second y[n][c][s].
// Launch: first: 1-D, any block; the grid covers C. Second: any block; the grid covers S in x and the N · C planes in y.
// Bytes: 12 · N · C · S read, of which x is a third and the rest from the cache, 4 · N · C · S written. FLOPs: 2 · N · C · S.
// Expected of a full warp of one plane: loads of x and stores to y 4 sectors per request; loads of scale and shift 1. In the first launch, loads of
// gamma, beta, mean and variance and stores to scale and shift 4.

__global__ void batch_norm_inference_folded_line(const float* gamma, const float* beta, const float* mean, const float* variance, float* scale,
                                                 float* shift, int C, float epsilon) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    const float slope = gamma[c] / sqrtf(variance[c] + epsilon);
    scale[c] = slope;
    shift[c] = fmaf(-mean[c], slope, beta[c]);
}

__global__ void batch_norm_inference_folded(const float* x, const float* scale, const float* shift, float* y, int N, int C, int S) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    const int plane = blockIdx.y * blockDim.y + threadIdx.y; // n · C + c
    if (plane >= N * C || s >= S) return;
    const int c = plane % C;
    y[plane * S + s] = fmaf(x[plane * S + s], scale[c], shift[c]);
}
