// Particles as an array of structs: _pack brings four arrays into this form, struct_layout_aos moves all particles, _unpack brings them back.
//
// A particle's fields lie side by side. So the lanes of a warp, which take the same field of 32 particles, find it 16 bytes apart: 16 sectors.
//
// Yours: all three kernels. The memory behind `particles` has room for 4 * n floats; lay them out so that all x lie side by side, all y, all
// z and all masses. The parameter may have another type: float* particles.

struct Particle {
    float x, y, z, mass;
};

__global__ void struct_layout_aos(Particle* particles, float dx, float dy, float dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[i].x += dx;
    particles[i].y += dy;
    particles[i].z += dz;
}

__global__ void struct_layout_aos_pack(const float* x0, const float* y0, const float* z0, const float* mass, Particle* particles, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    particles[i].x = x0[i];
    particles[i].y = y0[i];
    particles[i].z = z0[i];
    particles[i].mass = mass[i];
}

__global__ void struct_layout_aos_unpack(const Particle* particles, float* x, float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    x[i] = particles[i].x;
    y[i] = particles[i].y;
    z[i] = particles[i].z;
}
