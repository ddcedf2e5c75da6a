// Gradient descent with momentum, rung 1: one thread computes one element.
//
// v_next[i] = mu · v[i] + g[i], W_next[i] = W[i] - lr · v_next[i]: the step goes along a velocity, which gathers gradients and forgets them
// by and by. PyTorch's convention: the learning rate is not in the velocity, and the gradient goes in undamped.
//
// A thread owns W_next[i] and v_next[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n. W_next may be W, and v_next v.
// Bytes: 12 · n read, 8 · n written. FLOPs: 4 · n.
// Expected of a full warp: loads of W, g and v and stores to W_next and v_next 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Polyak, "Some methods of speeding up the convergence of iteration methods", 1964; torch.optim.SGD.

__global__ void momentum_naive(const float* W, const float* g, const float* v, float* W_next, float* v_next, float lr, float mu, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float velocity = fmaf(mu, v[i], g[i]);
    v_next[i] = velocity;
    W_next[i] = fmaf(-lr, velocity, W[i]);
}
