// Attention, rung 3: online softmax; no score is ever written.
//
// What changed: one launch. A thread goes over the keys once and keeps, for its query, the largest score so far, the sum of exponentials
// for it and the output for it. When a larger score comes, sum and output are both multiplied by exp(old maximum - new maximum), which is what
// everything added so far was too large by. At the end the output is divided by the sum. The T² numbers of S and P are gone.
//
// A thread owns a query, with its row of Q and its row of O in registers. All sums are chains in the order of d or j. All lanes of a warp
// read the same key at a time; they read Q and write O a row apart. K and V are still read by every warp, with nothing shared
// between the warps of a block, and a query's keys run through one thread only.
// Launch: 1-D, any block up to 256 threads; the grid covers queries in x, heads in y. D is 32 or 64, as a template: an array in registers needs
// its size at compile time.
// FLOPs: BH · T² · (5 · D + 7), an exponential counted as one; about half with `causal`.
// Bytes asked of global memory: 4 · BH · T · D · (2 + 2 · T), of which a warp's loads of K and V are the same 4 bytes in all lanes.
// Expected of a full warp: loads of Q and stores to O 32 sectors per request; loads of K and V 1; stores to L 4.
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; Rabe and Staats, "Self-attention Does Not Need O(n²)
// Memory", 2021.

template <int D>
__global__ void __launch_bounds__(256) attention_online(const float* Q, const float* K, const float* V, float* O, float* L, int T,
                                                        float scale, int causal) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // query
    if (i >= T) return;
    const int head = blockIdx.y * T; // its first row
    const int keys = causal ? i + 1 : T;

    float q[D], o[D];
    for (int d = 0; d < D; ++d) {
        q[d] = scale * Q[(head + i) * D + d];
        o[d] = 0;
    }
    float max = -INFINITY, sum = 0;

    for (int j = 0; j < keys; ++j) {
        // The score.
        float s = 0;
        for (int d = 0; d < D; ++d) s = fmaf(q[d], K[(head + j) * D + d], s);

        // What was too large by how much; before the first key exp(-INFINITY) = 0.
        const float larger = fmaxf(max, s);
        const float shrink = expf(max - larger);
        const float p = expf(s - larger);
        max = larger;

        // Sum and output, for the new maximum.
        sum = fmaf(sum, shrink, p);
        for (int d = 0; d < D; ++d) o[d] = fmaf(p, V[(head + j) * D + d], o[d] * shrink);
    }

    // Write.
    for (int d = 0; d < D; ++d) O[(head + i) * D + d] = o[d] / sum;
    L[head + i] = max + logf(sum);
}

template __global__ void attention_online<32>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
template __global__ void attention_online<64>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
