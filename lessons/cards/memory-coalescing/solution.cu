// All x, then all y, all z, all masses: a field of 32 particles is 128 bytes in a row.

__global__ void struct_layout_aos(float* particles, float dx, float dy, float dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[i] += dx;
    particles[n + i] += dy;
    particles[2 * n + i] += dz;
}

__global__ void struct_layout_aos_pack(const float* x0, const float* y0, const float* z0, const float* mass, float* particles, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[i] = x0[i];
    particles[n + i] = y0[i];
    particles[2 * n + i] = z0[i];
    particles[3 * n + i] = mass[i];
}

__global__ void struct_layout_aos_unpack(const float* particles, float* x, float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = particles[i];
    y[i] = particles[n + i];
    z[i] = particles[2 * n + i];
}
