// Particles, rung 2: a struct of arrays.
//
// What changed: all x lie side by side, all y, all z, all masses. A field of 32 particles is 128 bytes in a row: 4 sectors, all of them
// wanted. The mass is not touched at all.
//
// One more launch copies the arrays first, as the particles move in place; what is compared is struct_layout_soa.
//
// A thread owns a particle; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n; _copy, then this.
// Bytes: 12 · n read, 12 · n written. FLOPs: 3 · n.
// Expected of a full warp: loads of and stores to all arrays 4 sectors per request.

__global__ void struct_layout_soa(float* x, float* y, float* z, float dx, float dy, float dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] += dx;
    y[i] += dy;
    z[i] += dz;
}

__global__ void struct_layout_soa_copy(const float* x0, const float* y0, const float* z0, float* x, float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = x0[i];
    y[i] = y0[i];
    z[i] = z0[i];
}
