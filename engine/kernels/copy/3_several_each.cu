// Copy, rung 3: four loads on their way before the first store.
//
// What changed: a thread has four fours to move, a block apart, and asks for all of them before it stores the first. A load takes some hundred
// cycles; while one is under way, the others are, too. Where warps are few, bytes on their way are what bandwidth is made of.
//
// A thread owns four fours of neighbours, 4 · blockDim.x elements apart; a block 16 · blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n, 16 · blockDim.x at a time.
// Bytes: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp: loads of x and stores to y 16 sectors per request; n / 128 requests for each.
// Source: Little's law: bytes on their way = bandwidth · latency; Volkov, "Better Performance at Lower Occupancy", 2010.

__global__ void copy_several_each(const float* x, float* y, int n) {
    const int first = 16 * blockIdx.x * blockDim.x + 4 * threadIdx.x; // of the thread's elements
    const int step = 4 * blockDim.x;

    if (first + 3 * step + 4 <= n) {
        // Load all.
        const float4 a = *reinterpret_cast<const float4*>(x + first);
        const float4 b = *reinterpret_cast<const float4*>(x + first + step);
        const float4 c = *reinterpret_cast<const float4*>(x + first + 2 * step);
        const float4 d = *reinterpret_cast<const float4*>(x + first + 3 * step);

        // Store all.
        *reinterpret_cast<float4*>(y + first) = a;
        *reinterpret_cast<float4*>(y + first + step) = b;
        *reinterpret_cast<float4*>(y + first + 2 * step) = c;
        *reinterpret_cast<float4*>(y + first + 3 * step) = d;
    } else { // the last block: what there is, one by one
        for (int i = first; i < first + 4 * step; i += step)
            for (int j = i; j < i + 4 && j < n; ++j) y[j] = x[j];
    }
}
