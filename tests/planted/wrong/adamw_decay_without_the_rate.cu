// Weight decay goes with the learning rate: a step takes away lr · decay of a weight, not decay.
//
// rung: adamw/1_per_tensor
// expect: wrong result in W_next

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
    W_next[i] = fmaf(-lr, step, W[i] * (1 - decay)); // <- fault: wrong result
}
