// Attention while decoding, rung 1: a block for each query.
//
// A language model that writes has one new token at a time, and for each of BH = batch · heads heads one query q (D). Keys and values of all T
// tokens so far, its own among them, lie in the KV cache, K and V (T, D) for each head: O = Σ_j softmax_j(scale · q · K[j]) · V[j].
// Each number of the cache is used once, for one fmaf: whatever the kernel, the time is that of reading the cache.
//
// A block owns a head. First a thread takes a key and makes its score, in shared memory. Then a thread takes a dimension; it finds the maximum
// and the sum for itself, as all others do too. Sums are chains in the order of d or of the keys. The lanes of a warp read K a row apart:
// 32 sectors of 32 bytes for 128 bytes; and with few heads most of the GPU has no block.
//
// Launch: 1-D, any block; one block for each head; T floats of dynamic shared memory.
// FLOPs: BH · T · D · (4 + 4), of which the second 4 are the softmax, D times over. Bytes asked of global memory: 12 · BH · T · D read.
// Shared: 4 · T bytes, which bounds T: 12288 with 48 KiB.
// Expected of a full warp: loads of q 1 sector per request, of K 32, of V 4; stores to O 4; `scores` 1 wavefront, stores and loads alike.

__global__ void attention_decode_naive(const float* q, const float* K, const float* V, float* O, int T, int D, float scale) {
    extern __shared__ float scores[]; // T
    const int head = blockIdx.x;
    const int first_key = head * T; // its row in K and V

    // Scores: a thread for each key.
    for (int j = threadIdx.x; j < T; j += blockDim.x) {
        float s = 0;
        for (int d = 0; d < D; ++d) s = fmaf(q[head * D + d], K[(first_key + j) * D + d], s);
        scores[j] = scale * s;
    }
    __syncthreads(); // other threads wrote the scores that this one reads

    // Output: a thread for each dimension.
    for (int d = threadIdx.x; d < D; d += blockDim.x) {
        float max = -INFINITY;
        for (int j = 0; j < T; ++j) max = fmaxf(max, scores[j]);
        float sum = 0, o = 0;
        for (int j = 0; j < T; ++j) {
            const float p = expf(scores[j] - max);
            sum += p;
            o = fmaf(p, V[(first_key + j) * D + d], o);
        }
        O[head * D + d] = o / sum;
    }
}
