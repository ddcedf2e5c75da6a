// Adam, rung 1: one thread computes one element.
//
// m and v are running means of the gradient and of its square: m' = β₁ · m + (1 - β₁) · g, v' = β₂ · v + (1 - β₂) · g². The step is the mean over the
// root of the mean square, about lr long for every weight, whatever the size of its gradients. As m and v begin at 0, they are too small at first, by
// the factors 1 - β₁^t and 1 - β₂^t in step t. These hold for all weights alike, so that they come made: rate = lr / (1 - β₁^t), root = 1 / √(1 - β₂^t).
// W' = keep · W - rate · m' / (√v' · root + ε), where keep is 1, or AdamW's 1 - lr · decay.
//
// A thread owns element i; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n. W_next may be W, m_next m, and v_next v.
// Bytes: 16 · n read, 12 · n written. FLOPs: 12 · n, a root and a division counted as one each.
// Expected of a full warp: loads of W, g, m and v and stores to W_next, m_next and v_next 4 sectors of 32 bytes per request.
// Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015; Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.

/// One element's step: its mean m and mean square v go on in place; the new weight is given back.
static __device__ float step(float w, float g, float& m, float& v, float rate, float keep, float beta1, float rest1, float beta2, float rest2, float root,
                             float epsilon) {
    m = fmaf(beta1, m, rest1 * g);
    v = fmaf(beta2, v, rest2 * g * g);
    return fmaf(-rate, m / fmaf(sqrtf(v), root, epsilon), keep * w);
}

__global__ void adam_naive(const float* W, const float* g, const float* m, const float* v, float* W_next, float* m_next, float* v_next,
                           float rate, float keep, float beta1, float rest1, float beta2, float rest2, float root, float epsilon, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float mean = m[i], square = v[i];
    W_next[i] = step(W[i], g[i], mean, square, rate, keep, beta1, rest1, beta2, rest2, root, epsilon);
    m_next[i] = mean;
    v_next[i] = square;
}
