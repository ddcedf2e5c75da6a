// Particles, rung 1: an array of structs.
//
// A particle has x, y, z and a mass; all particles are moved by (dx, dy, dz). A particle's fields lie side by side, as one writes it down
// first. But a warp takes one field of 32 particles at a time, and these lie 16 bytes apart: two in a sector of 32 bytes. Three quarters of
// what is moved are other fields, some of which are wanted next and may still be in the cache. The mass is moved for nothing.
//
// Two more launches bring the ladder's arrays into this form and back; what is compared is struct_layout_aos.
//
// A thread owns a particle; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n; _pack, then this, then _unpack.
// Bytes asked: 12 · n read, 12 · n written. FLOPs: 3 · n.
// Expected of a full warp: loads of and stores to particles 16 sectors per request; of and to the arrays 4.

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
