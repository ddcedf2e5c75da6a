// Stencil, rung 3: four neighbours for each thread, from registers.
//
// What changed: a thread computes four outputs. The elements that these need overlap: with radius 4 twelve instead of 36. The thread reads
// them into registers once, as three float4, and takes all four sums from there: a shared read now serves three additions. The window is
// an array with indices that the compiler knows once it has unrolled the loops; only so does it stay in registers.
//
// A thread owns y[i] … y[i + 3]; a block 4 · blockDim.x neighbours and the tile.
// Launch: 1-D, any block; the grid covers n, 4 · blockDim.x at a time. Dynamic shared memory: 16 · (blockDim.x + fours - 1) bytes.
// Order: as before.
// Bytes: 4 · n read, and the halo for each block, 4 · n written. FLOPs: (2 · radius + 1) · n.
// Expected of a full warp (512 bytes are 16 sectors, or 4 wavefronts): stores to y 16 sectors per request; loads of the tile 4
// wavefronts, stores to it (single words) 1. Loads of x with radius 4 and 256 threads: 32 requests of 5 sectors and one of 2 for a block,
// two less over all: 64 · 162 - 2 = 10,366 sectors for 2,112 requests, 4.91 for each.

template <int radius>
__global__ void stencil_registers(const float* x, float* y, int n) {
    constexpr int each = 4;                            // outputs of a thread
    constexpr int fours = (each + 2 * radius + 3) / 4; // float4 in which a thread's elements lie
    extern __shared__ __align__(16) float tile[];      // [4 · (blockDim.x + fours - 1)]
    const int threads = blockDim.x, t = threadIdx.x;
    const int first = blockIdx.x * threads * each; // of the block's elements

    // Load: the block's elements and the halo, up to the last thread's last four; beyond the ends are zeros.
    for (int k = t; k < 4 * (threads + fours - 1); k += threads) {
        const int j = first - radius + k;
        tile[k] = j >= 0 && j < n ? x[j] : 0;
    }
    __syncthreads(); // other threads loaded what this one adds

    // The thread's window, into registers.
    float window[4 * fours];
    for (int k = 0; k < fours; ++k) {
        const float4 four = *reinterpret_cast<const float4*>(&tile[4 * (t + k)]);
        window[4 * k] = four.x;
        window[4 * k + 1] = four.y;
        window[4 * k + 2] = four.z;
        window[4 * k + 3] = four.w;
    }

    // Compute.
    float sums[each];
    for (int output = 0; output < each; ++output) {
        sums[output] = 0;
        for (int k = 0; k <= 2 * radius; ++k) sums[output] += window[output + k];
    }

    // Write: four at once, where there are four.
    const int i = first + each * t;
    if (i + each <= n) *reinterpret_cast<float4*>(y + i) = make_float4(sums[0], sums[1], sums[2], sums[3]);
    else
        for (int output = 0; output < each; ++output)
            if (i + output < n) y[i + output] = sums[output];
}

template __global__ void stencil_registers<1>(const float* x, float* y, int n);
template __global__ void stencil_registers<2>(const float* x, float* y, int n);
template __global__ void stencil_registers<3>(const float* x, float* y, int n);
template __global__ void stencil_registers<4>(const float* x, float* y, int n);
