// The next channel is loaded over a tile that other warps still read.
//
// rung: conv2d/2_tiled
// set: C=4
// set: O=2
// expect: race in tile
// schedules: differ

__global__ void conv2d_tiled(const float* x, const float* weight, const float* b, float* y, int C, int H, int W, int O, int kernel,
                             int stride, int padding, int Ho, int Wo) {
    extern __shared__ float tile[]; // [tile_height][tile_width]
    const int tile_width = (blockDim.x - 1) * stride + kernel;
    const int tile_height = (blockDim.y - 1) * stride + kernel;
    const int first_row = blockIdx.y * blockDim.y * stride - padding; // of the tile, in x
    const int first_column = blockIdx.x * blockDim.x * stride - padding;
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int n = blockIdx.z / O, o = blockIdx.z % O;
    const float* corner = tile + threadIdx.y * stride * tile_width + threadIdx.x * stride; // of this thread's window

    float sum = b[o];
    for (int c = 0; c < C; ++c) {
        // Load: threadIdx.x walks along rows; beyond the edges of the image stand zeros.
        const float* plane = x + (n * C + c) * H * W;
        for (int i = threadIdx.y; i < tile_height; i += blockDim.y)
            for (int j = threadIdx.x; j < tile_width; j += blockDim.x) {
                const int row = first_row + i;
                const int column = first_column + j;
                const bool inside = row >= 0 && row < H && column >= 0 && column < W;
                tile[i * tile_width + j] = inside ? plane[row * W + column] : 0; // <- fault: race
            }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute.
        const float* weights = weight + (o * C + c) * kernel * kernel;
        for (int i = 0; i < kernel; ++i)
            for (int j = 0; j < kernel; ++j) sum = fmaf(weights[i * kernel + j], corner[i * tile_width + j], sum); // <- fault: race
    }

    // Write.
    if (h < Ho && w < Wo) y[((n * O + o) * Ho + h) * Wo + w] = sum;
}
