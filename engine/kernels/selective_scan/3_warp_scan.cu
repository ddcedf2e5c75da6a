// Selective scan (Mamba), rung 3: 32 steps at once, by a scan across a warp.
//
// What changed: a recurrence seems to go step by step. But one step is the map h -> decay · h + added, and two of them are again such a map:
//     first (decay1, added1), then (decay2, added2):   (decay1 · decay2, decay2 · added1 + added2)
// It does not matter which neighbours are put together first. So 32 lanes take 32 steps: in five rounds, at distances 1, 2, 4, 8, 16, each puts
// the map of the lane so far before it in front of its own, after which it has the map of all steps up to its own. Applied to h from
// before the 32 steps, that gives its h_t; the last lane's is where the next 32 begin. Besides, the lanes of a warp now are neighbours
// in time, which lie side by side.
//
//     lane             0      1      2      3     …        (a: one step; 0-3: the map of steps 0 to 3)
//     before           a0     a1     a2     a3
//     distance 1       0      0-1    1-2    2-3
//     distance 2       0      0-1    0-2    0-3
//
// A lane owns every 32nd step of a channel; a warp owns the channel of a sequence. Sums: in each state as above; the output is one chain of fmaf
// from skip · x on, in the order of n.
// Launch: blockDim = (32, channels of the block), any number of channels; the grid covers batch · channels. `states` is 1, 8 or 16. Without the
// launch bounds a thread takes more registers on sm_100 and sm_120 than a block of 1024 threads has.
// FLOPs: 24 for each channel, step and state, an exponential counted as one: more than before, but by 32 lanes. Bytes asked of global memory:
// 8 for each of these, and 12 more for each channel and step.
// Expected of a full warp: loads of x, delta, B and C and stores to y 4 sectors per request; loads of A_log and skip 1.
// Source: Gu and Dao 2023, as in rung 1; Blelloch, "Prefix Sums and Their Applications", 1990; the scan: Hillis and Steele, "Data Parallel
// Algorithms", 1986.

template <int states>
__global__ void __launch_bounds__(1024) selective_scan_warp_scan(const float* x, const float* delta, const float* A_log, const float* B, const float* C,
                                                                 const float* skip, float* y, int batch, int channels, int T) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y; // sequence · channels + channel
    const int lane = threadIdx.x;
    if (row >= batch * channels) return; // a whole warp together
    const int sequence = row / channels, channel = row % channels;
    const float* b = B + sequence * states * T;
    const float* c = C + sequence * states * T;

    float h[states], A[states]; // h: before the next 32 steps, in all lanes
    for (int n = 0; n < states; ++n) {
        h[n] = 0;
        A[n] = -expf(A_log[channel * states + n]);
    }
    const float pass = skip[channel];
    for (int first = 0; first < T; first += 32) {
        // The lane's step. Beyond the last, a delta of 0 makes a map that changes nothing.
        const int t = first + lane;
        const bool inside = t < T;
        const float input = inside ? x[row * T + t] : 0;
        const float step = inside ? delta[row * T + t] : 0;
        float output = pass * input;

        for (int n = 0; n < states; ++n) {
            float decay = expf(step * A[n]);
            float added = inside ? step * input * b[n * T + t] : 0;

            // Scan: the maps of all steps up to the lane's own.
            for (int distance = 1; distance < 32; distance *= 2) {
                const float earlier_decay = __shfl_up_sync(0xffffffff, decay, distance);
                const float earlier_added = __shfl_up_sync(0xffffffff, added, distance);
                if (lane >= distance) {
                    added = fmaf(decay, earlier_added, added);
                    decay *= earlier_decay;
                }
            }

            // Apply them to the state from before.
            const float now = fmaf(decay, h[n], added);
            if (inside) output = fmaf(c[n * T + t], now, output);
            h[n] = __shfl_sync(0xffffffff, now, 31);
        }
        if (inside) y[row * T + t] = output;
    }
}

template __global__ void selective_scan_warp_scan<1>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
template __global__ void selective_scan_warp_scan<8>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
template __global__ void selective_scan_warp_scan<16>(const float* x, const float* delta, const float* A_log, const float* B, const float* C, const float* skip, float* y, int batch, int channels, int T);
