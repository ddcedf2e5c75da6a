// Mean squared error, rung 2: a block shares the elements.
//
// What changed: each thread sums every blockDim.x-th square, and the sums meet in shared memory, in the steps of a tree. The order of the sum
// depends on blockDim.x; in double precision that is far below what fp32 holds of it.
//
// A thread owns every blockDim.x-th element; a warp reads runs of 32 neighbours; thread 0 writes.
// Launch: one block, 1-D, blockDim.x a power of two. Dynamic shared memory: 8 · blockDim.x bytes.
// Bytes: 8 · n read, 4 written. FLOPs: 3 · n, in double precision.
// Expected of a full warp: loads of z and y 4 sectors per request, n / 32 requests for each; one for L.

__global__ void mean_squared_error_block(const float* z, const float* y, float* L, int n) {
    extern __shared__ double squares[]; // [blockDim.x]
    const int t = threadIdx.x, threads = blockDim.x;

    // Each thread's part.
    double sum = 0;
    for (int i = t; i < n; i += threads) {
        const double difference = static_cast<double>(z[i]) - static_cast<double>(y[i]);
        sum += difference * difference;
    }
    squares[t] = sum;
    __syncthreads(); // other threads wrote the sums that this one adds

    // Sum: steps of a tree.
    for (int distance = threads / 2; distance > 0; distance /= 2) {
        if (t < distance) squares[t] += squares[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Write.
    if (t == 0) *L = static_cast<float>(squares[0] / n);
}
