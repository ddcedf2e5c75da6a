// Gradient of a convolution's input, rung 2: a tile of dy in shared memory.
//
// What changed: neighbouring elements ask the same dy. For each output channel a block reads all that its elements may ask for once into shared
// memory; zeros stand where the tile reaches beyond dy, so that the sum needs no test of the edges.
//
// A thread owns dx[n][c][row][column]; a block the elements of one channel above its tile. The sum is one chain of fmaf in the order of o, i, j.
// Launch: any block with blockDim.z = 1; the grid covers W in x, H in y, and N · C in z. Dynamic shared memory: 4 · tile_height · tile_width bytes,
// with tile_width = (blockDim.x + kernel - 2) / stride + 1, and so the height with blockDim.y.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: for each block 4 · O · tile_height · tile_width of dy, and the weights,
// which all lanes share; 4 for each element of dx written.
// Expected with stride 1, 3 × 3 windows, padding 1, W = 32 and 32 threads in x: loads of weight 1 sector per request, stores to dx 4; `tile` 1
// wavefront, loads and stores alike. A row of the tile is 34 wide: 32 lanes read 31 elements, the first being outside, 4 sectors, and then
// one reads the last, 1 sector: 2.5 on average.

__global__ void conv2d_backward_input_tiled(const float* dy, const float* weight, float* dx, int C, int H, int W, int O, int kernel,
                                            int stride, int padding, int Ho, int Wo) {
    extern __shared__ float tile[]; // [tile_height][tile_width]
    const int tile_width = (blockDim.x + kernel - 2) / stride + 1;
    const int tile_height = (blockDim.y + kernel - 2) / stride + 1;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int n = blockIdx.z / C, c = blockIdx.z % C;
    // The smallest h and w that an element of this block asks for: (first row + padding - (kernel - 1)) / stride, rounded up.
    const int first_down = int(blockIdx.y * blockDim.y) + padding - (kernel - 1);
    const int first_right = int(blockIdx.x * blockDim.x) + padding - (kernel - 1);
    const int first_h = first_down > 0 ? (first_down + stride - 1) / stride : first_down / stride;
    const int first_w = first_right > 0 ? (first_right + stride - 1) / stride : first_right / stride;

    float sum = 0;
    for (int o = 0; o < O; ++o) {
        // Load: threadIdx.x walks along rows; beyond the edges of dy stand zeros.
        const float* plane = dy + (n * O + o) * Ho * Wo;
        for (int i = threadIdx.y; i < tile_height; i += blockDim.y)
            for (int j = threadIdx.x; j < tile_width; j += blockDim.x) {
                const int h = first_h + i;
                const int w = first_w + j;
                const bool inside = h >= 0 && h < Ho && w >= 0 && w < Wo;
                tile[i * tile_width + j] = inside ? plane[h * Wo + w] : 0;
            }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute.
        const float* weights = weight + (o * C + c) * kernel * kernel;
        for (int i = 0; i < kernel; ++i)
            for (int j = 0; j < kernel; ++j) {
                const int down = row + padding - i; // h · stride
                const int right = column + padding - j;
                if (down % stride != 0 || right % stride != 0) continue;
                sum = fmaf(weights[i * kernel + j], tile[(down / stride - first_h) * tile_width + right / stride - first_w], sum);
            }
        __syncthreads(); // the next channel overwrites what others may still be reading
    }

    // Write.
    if (row < H && column < W) dx[((n * C + c) * H + row) * W + column] = sum;
}
