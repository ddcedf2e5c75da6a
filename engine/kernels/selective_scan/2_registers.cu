// Selective scan (Mamba), rung 2: the state in registers.
//
// What changed: h belongs to one thread from the first step to the last, so it need not be in memory. With `states` known to the compiler, h and
// the exponents A are registers; A is made once. Of 20 bytes for each channel, step and state 8 are left, B and C, which all lanes share.
//
// A thread owns a channel of a sequence, its h and its A. The output is one chain of fmaf from skip · x on, in the order of n.
// Launch: 1-D, any block; the grid covers batch · channels. `states` is 1, 8 or 16.
// FLOPs: 7 for each channel, step and state, an exponential counted as one. Bytes asked of global memory: for each of these 8, and 12 more
// for each channel and step.
// Expected of a full warp of one sequence: loads of x, delta and A_log and stores to y 32 sectors per request; loads of skip 4; loads of B and C 1.
// Source: Gu and Dao 2023, as in rung 1.

template <int states>
__global__ void selective_scan_registers(const float* x, const float* delta, const float* A_log, const float* B, const float* C,
                                         const float* skip, float* y, int batch, int channels, int T) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; // sequence · channels + channel
    if (row >= batch * channels) return;
    const int sequence = row / channels, channel = row % channels;
    const float* b = B + sequence * states * T;
    const float* c = C + sequence * states * T;

    float h[states], A[states];
    for (int n = 0; n < states; ++n) {
        h[n] = 0;
        A[n] = -expf(A_log[channel * states + n]);
    }
    const float pass = skip[channel];
    for (int t = 0; t < T; ++t) {
        const float input = x[row * T + t], step = delta[row * T + t];
        float output = pass * input;
        for (int n = 0; n < states; ++n) {
            h[n] = fmaf(expf(step * A[n]), h[n], step * input * b[n * T + t]);
            output = fmaf(c[n * T + t], h[n], output);
        }
        y[row * T + t] = output;
    }
}

template __global__ void selective_scan_registers<1>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
template __global__ void selective_scan_registers<8>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
template __global__ void selective_scan_registers<16>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
