// Particles, rung 3: an array of structs of arrays.
//
// What changed: 32 particles form a group, in which all x lie side by side, then all y, all z, all masses. A warp's request is coalesced
// as in rung 2, and yet everything about a particle lies within 512 bytes, with one base address instead of four: better where particles
// are taken in random groups, or moved from place to place. The last group may be partly empty.
//
// Two more launches bring the ladder's arrays into this form and back; what is compared is struct_layout_aosoa.
//
// A thread owns a particle; a warp a group, if blockDim.x is a multiple of 32; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers n; _pack, then this, then _unpack.
// Bytes: 12 · n read, 12 · n written. FLOPs: 3 · n.
// Expected of a full warp: loads of and stores to particles 4 sectors per request; of and to the arrays 4.

constexpr int size = 32; // of a group

struct Group {
    float x[size], y[size], z[size], mass[size];
};

__global__ void struct_layout_aosoa(Group* particles, float dx, float dy, float dz, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Group& group = particles[i / size]; // [⌈n / size⌉]
    const int k = i % size;
    group.x[k] += dx;
    group.y[k] += dy;
    group.z[k] += dz;
}

__global__ void struct_layout_aosoa_pack(const float* x0, const float* y0, const float* z0, const float* mass, Group* particles, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Group& group = particles[i / size];
    const int k = i % size;
    group.x[k] = x0[i];
    group.y[k] = y0[i];
    group.z[k] = z0[i];
    group.mass[k] = mass[i];
}

__global__ void struct_layout_aosoa_unpack(const Group* particles, float* x, float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Group& group = particles[i / size];
    const int k = i % size;
    x[i] = group.x[k];
    y[i] = group.y[k];
    z[i] = group.z[k];
}
