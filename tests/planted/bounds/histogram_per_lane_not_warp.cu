// A histogram for each lane, where the launch gave room for one for each warp.
//
// rung: histogram/3_per_warp
// set: n=1000
// expect: out-of-bounds in counts

__global__ void histogram_per_warp_clear(unsigned* bins) { bins[threadIdx.x] = 0; }

__global__ void histogram_per_warp(const unsigned char* x, unsigned* bins, int n) {
    extern __shared__ unsigned counts[]; // [warps][256]
    const int threads = blockDim.x, t = threadIdx.x;
    const int warp = t % 32, warps = threads / 32;

    // Clear.
    for (int k = t; k < 256 * warps; k += threads) counts[k] = 0;
    __syncthreads(); // other warps cleared what this one counts in

    // Count.
    unsigned* mine = counts + 256 * warp;
    for (int i = blockIdx.x * threads + t; i < n; i += gridDim.x * threads) {
        const int b = x[i];
        atomicAdd(&mine[b], 1u); // <- fault: out-of-bounds
    }
    __syncthreads(); // other warps counted in what this thread adds

    // Add.
    for (int b = t; b < 256; b += threads) {
        unsigned sum = 0;
        for (int w = 0; w < warps; ++w) sum += counts[256 * w + b];
        atomicAdd(&bins[b], sum);
    }
}
