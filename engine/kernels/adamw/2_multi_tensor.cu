// AdamW, rung 2: one launch for all tensors.
//
// What changed: one grid covers all tensors together, so that small ones cost no launch of their own. A thread finds out from a table in which
// tensor its element lies, for that decides on the decay: offsets[t] is the first element of tensor t, and offsets[tensors] the end. With
// hundreds of tensors one would search by halving. Lanes of a warp mostly lie in one tensor: they walk down the table together, and read
// one word of it at a time.
//
// The table is filled by a launch of one thread here, for an MLP of two layers; a framework writes it once, when the model is made.
//
// A thread owns element i; a warp 32 neighbours.
// Launch: first adamw_multi_tensor_table with one thread; then 1-D, any block; the grid covers all elements. W_next may be W, m_next m, and v_next v.
// Bytes: 16 · n read, 12 · n written, and the table, from the cache. FLOPs: 16 · n, a root and a division counted as one each.
// Expected of a full warp: loads of W, g, m and v and stores to W_next, m_next and v_next 4 sectors per request; loads of offsets and decays 1,
// as the stores to them.
// Source: the lists of tensors of apex's multi_tensor_apply and PyTorch's torch._foreach functions.

__global__ void adamw_multi_tensor_table(int* offsets, float* decays, int inputs, int hidden, int outputs, float decay) {
    offsets[0] = 0;
    offsets[1] = offsets[0] + inputs * hidden;  // W1
    offsets[2] = offsets[1] + hidden;           // b1
    offsets[3] = offsets[2] + hidden * outputs; // W2
    offsets[4] = offsets[3] + outputs;          // b2
    decays[0] = decays[2] = decay;
    decays[1] = decays[3] = 0;
}

__global__ void adamw_multi_tensor(const float* W, const float* g, const float* m, const float* v, float* W_next, float* m_next, float* v_next,
                                   const int* offsets, const float* decays, int tensors, float lr, float beta1, float beta2, float epsilon,
                                   float m_correction, float v_correction) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= offsets[tensors]) return;

    // Which tensor?
    int tensor = 0;
    while (offsets[tensor + 1] <= i) ++tensor;

    // The step.
    const float m_now = fmaf(beta1, m[i], (1 - beta1) * g[i]);
    const float v_now = fmaf(beta2, v[i], (1 - beta2) * g[i] * g[i]);
    const float step = m_now * m_correction / (sqrtf(v_now * v_correction) + epsilon);
    m_next[i] = m_now;
    v_next[i] = v_now;
    W_next[i] = fmaf(-lr, step, W[i] * (1 - lr * decays[tensor]));
}
