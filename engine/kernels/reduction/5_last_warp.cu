// Sum, rung 5: the last warp on its own.
//
// What changed: when no more than 64 sums are left, one warp adds them up, and a barrier for the whole block would only keep it waiting.
// The others return; the last six steps are written out, with __syncwarp between them. It is needed: since Volta the lanes of a warp may
// run apart, and without it nothing orders one lane's store before another's load.
//
// A thread owns two elements, blockDim.x apart, then sums[t] while t < distance; a block y[blockIdx.x], the sum of 2 · blockDim.x elements.
// Launch: 1-D, blockDim.x a power of two, at least 64; the grid covers n, 2 · blockDim.x elements at a time. Dynamic shared memory: 4 ·
// blockDim.x bytes.
// Order: as before.
// Bytes: 4 · n read, 4 for each block written. FLOPs: n - 1.
// Expected of a full warp: loads of x 4 sectors per request; stores to y 1; `sums` 1 wavefront, loads and stores alike; of 256 threads 25
// requests for loads of `sums`. Barriers: 3 instead of 9.
// Source: Harris 2007, kernel 5, there without __syncwarp, as the GPUs of its time allowed.

__global__ void reduction_last_warp(const float* x, float* y, int n) {
    extern __shared__ float sums[]; // [blockDim.x]
    const int threads = blockDim.x, t = threadIdx.x;
    const int i = blockIdx.x * 2 * threads + t;

    // Load: two elements each; beyond the end are zeros.
    float sum = i < n ? x[i] : 0;
    if (i + threads < n) sum += x[i + threads];
    sums[t] = sum;
    __syncthreads(); // other threads loaded what this one adds

    // Sum, by the block: down to 64.
    for (int distance = threads / 2; distance > 32; distance /= 2) {
        if (t < distance) sums[t] += sums[t + distance];
        __syncthreads(); // other threads wrote what this one adds next
    }

    // Sum, by the first warp.
    if (t >= 32) return;
    sums[t] += sums[t + 32];
    __syncwarp(); // here and below: other lanes wrote what this one adds next
    if (t < 16) sums[t] += sums[t + 16];
    __syncwarp();
    if (t < 8) sums[t] += sums[t + 8];
    __syncwarp();
    if (t < 4) sums[t] += sums[t + 4];
    __syncwarp();
    if (t < 2) sums[t] += sums[t + 2];
    __syncwarp();
    if (t < 1) sums[t] += sums[t + 1];

    // Write.
    if (t == 0) y[blockIdx.x] = sums[0];
}
