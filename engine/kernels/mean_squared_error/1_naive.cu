// Mean squared error, rung 1: one thread sums all.
//
// L = 1/n · Σ_i (z[i] - y[i])². In double precision: a sum of n squares in fp32 would lose digits of a loss that falls by a little each step.
//
// Thread 0 owns everything; others of the block return at once. The sum is one chain in the order of i.
// Launch: one block.
// Bytes: 8 · n read, 4 written. FLOPs: 3 · n, in double precision.
// Expected: loads of z and y 1 sector of 32 bytes per request, n requests for each; one for L.

__global__ void mean_squared_error_naive(const float* z, const float* y, float* L, int n) {
    if (threadIdx.x > 0) return;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        const double difference = static_cast<double>(z[i]) - static_cast<double>(y[i]);
        sum += difference * difference;
    }
    *L = static_cast<float>(sum / n);
}
