// Scaled sum, rung 1: one thread computes one element.
//
// z[i] = a · x[i] + y[i], known as axpy, as one fmaf with a single rounding. Two FLOPs for 12 bytes: the time is that of moving the bytes.
//
// A thread owns z[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n. z may be y.
// Bytes: 8 · n read, 4 · n written. FLOPs: 2 · n.
// Expected of a full warp: loads of x and y and stores to z 4 sectors of 32 bytes per request; n / 32 requests for each.
// Source: Lawson, Hanson, Kincaid and Krogh, "Basic Linear Algebra Subprograms for Fortran Usage", 1979.

__global__ void scale_add_naive(float a, const float* x, const float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    z[i] = fmaf(a, x[i], y[i]);
}
