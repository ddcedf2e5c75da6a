// AdamW, rung 1: a launch for each tensor.
//
// m and v are running means of the gradient and of its square. The step is the mean over the root of the mean square: about lr long for every
// parameter, whatever the size of its gradients. As m and v begin at 0, they are too small at first, by the factors 1 - beta1^t and 1 - beta2^t
// in step t; the corrections are the reciprocals of these. Besides, W shrinks by lr · decay of itself, which the gradient has no part in:
// that is what sets AdamW apart from Adam. Biases are not to shrink, so their decay is 0.
//
// All tensors of a model lie one behind the other in W, and so do those of g, m and v. Each has a launch, with its first element, its number of
// elements and its own decay. A small one, such as a bias, keeps a few warps of the GPU busy for as long as a launch takes.
//
// A thread owns element `first` + i; a warp 32 neighbours.
// Launch: for each tensor: 1-D, any block; the grid covers n. W_next may be W, m_next m, and v_next v.
// Bytes: 16 · n read, 12 · n written. FLOPs: 16 · n, a root and a division counted as one each.
// Expected of a full warp: loads of W, g, m and v and stores to W_next, m_next and v_next 4 sectors of 32 bytes per request.
// Source: Kingma and Ba, "Adam: A Method for Stochastic Optimization", 2015; Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2019.

__global__ void adamw_per_tensor(const float* W, const float* g, const float* m, const float* v, float* W_next, float* m_next, float* v_next,
                                 int first, int n, float lr, float decay, float beta1, float beta2, float epsilon, float m_correction,
                                 float v_correction) {
    const int offset = blockIdx.x * blockDim.x + threadIdx.x; // in the tensor
    if (offset >= n) return;
    const int i = first + offset;
    const float m_now = fmaf(beta1, m[i], (1 - beta1) * g[i]);
    const float v_now = fmaf(beta2, v[i], (1 - beta2) * g[i] * g[i]);
    const float step = m_now * m_correction / (sqrtf(v_now * v_correction) + epsilon);
    m_next[i] = m_now;
    v_next[i] = v_now;
    W_next[i] = fmaf(-lr, step, W[i] * (1 - lr * decay));
}
