// Selective scan (Mamba), rung 1: a thread for each channel, its state in memory.
//
// A sequence of T steps goes through `channels` channels, each with `states` numbers h of its own as its memory. In every step they fade, take in
// something of the input and give an output:
//     h_t[n] = exp(delta_t · A[n]) · h_{t-1}[n] + delta_t · B_t[n] · x_t,   y_t = Σ_n C_t[n] · h_t[n] + skip · x_t
// delta, B and C are made from the input itself, so that it selects what is kept. A is negative, stored as the logarithm of -A.
//
// A thread owns a channel of a sequence and goes through the time; it keeps h in global memory, reads it and writes it in every step. The lanes of
// a warp are a whole row apart in x, delta, h and y: 32 sectors of 32 bytes for 128 bytes. The output is one chain of fmaf from
// skip · x on, in the order of n.
//
// Launch: 1-D, any block; the grid covers batch · channels.
// FLOPs: 9 for each channel, step and state, an exponential counted as one. Bytes asked of global memory: for each of these 20, and 12 more
// for each channel and step.
// Expected of a full warp of one sequence: loads of x, delta, A_log and h and stores to h and y 32 sectors per request; loads of skip 4; loads of B and C
// 1, as all lanes are at the same time.
// Source: Gu and Dao, "Mamba: Linear-Time Sequence Modeling with Selective State Spaces", 2023.

__global__ void selective_scan_naive(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip,
                                     float* h, float* y, int batch, int channels, int states, int T) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x; // sequence · channels + channel
    if (row >= batch * channels) return;
    const int sequence = row / channels, channel = row % channels;
    const float* b = B + sequence * states * T;
    const float* c = C + sequence * states * T;
    float* state = h + row * states;

    for (int n = 0; n < states; ++n) state[n] = 0;
    const float pass = skip[channel];
    for (int t = 0; t < T; ++t) {
        const float input = x[row * T + t], step = delta[row * T + t];
        float output = pass * input;
        for (int n = 0; n < states; ++n) {
            const float decay = expf(-step * expf(A_log[channel * states + n]));
            const float now = fmaf(decay, state[n], step * input * b[n * T + t]);
            state[n] = now;
            output = fmaf(c[n * T + t], now, output);
        }
        y[row * T + t] = output;
    }
}
