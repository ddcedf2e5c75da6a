// A new maximum shrinks the sum and must shrink the output, too.
//
// rung: attention/3_online
// set: BH=1
// set: T=33
// expect: wrong result in O

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
        for (int d = 0; d < D; ++d) o[d] = fmaf(p, V[(head + j) * D + d], o[d]); // <- fault: wrong result
    }

    // Write.
    for (int d = 0; d < D; ++d) O[(head + i) * D + d] = o[d] / sum;
    L[head + i] = max + logf(sum);
}

template __global__ void attention_online<32>(const float* Q, const float* K, const float* V, float* O, float* L, int T, float scale, int causal);
