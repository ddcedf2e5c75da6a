// There is a label for each row, not for each score: it is read where the row of scores begins.
//
// rung: cross_entropy/2_fused
// set: B=64
// set: C=100
// expect: out-of-bounds in label

__global__ void cross_entropy_fused(const float* z, const int* label, float* loss, int B, int C, int ignore_index) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= B) return;
    const float* from = z + row * C;

    // The maximum, and the sum for it. Before the first class exp(-INFINITY) = 0.
    float max = -INFINITY, sum = 0;
    for (int c = 0; c < C; ++c) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // The loss.
    const int y = label[row * C]; // <- fault: out-of-bounds
    loss[row] = y == ignore_index ? 0 : logf(sum) + (max - from[y]);
}
