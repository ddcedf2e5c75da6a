// Convolution of images, rung 2: a tile of the image in shared memory.
//
// What changed: neighbouring windows overlap. For each channel a block reads what all its windows need once into shared memory: a tile as large
// as its outputs, and around it a rim of kernel - 1, the halo. With 32 × 8 outputs and a window of 3 × 3 that is 340 elements read for
// 2,304 used. Zeros stand in the tile where it reaches beyond the image, so that the sum needs no test.
//
// A thread owns y[n][o][h][w]; a block the outputs of one channel under its tile.
// Launch: any block with blockDim.z = 1; the grid covers Wo in x, Ho in y, and N · O in z. Dynamic shared memory: 4 · tile_height · tile_width bytes,
// with tile_width = (blockDim.x - 1) · stride + kernel, and so the height with blockDim.y.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: for each block 4 · C · tile_height · tile_width of x, and the weights,
// which all lanes share; 4 for each element of y written.
// Expected with stride 1, W = 32 and 32 threads in x: loads of weight and b 1 sector per request, stores to y 4; `tile` 1 wavefront, loads and
// stores alike. A row of the tile is 34 wide: 32 lanes read 31 elements, the first being outside, 4 sectors, and then one reads the last, 1
// sector: 2.5 on average.
// Source: Kirk and Hwu, "Programming Massively Parallel Processors", on tiled convolution.

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
                tile[i * tile_width + j] = inside ? plane[row * W + column] : 0;
            }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute.
        const float* weights = weight + (o * C + c) * kernel * kernel;
        for (int i = 0; i < kernel; ++i)
            for (int j = 0; j < kernel; ++j) sum = fmaf(weights[i * kernel + j], corner[i * tile_width + j], sum);
        __syncthreads(); // the next channel overwrites what others may still be reading
    }

    // Write.
    if (h < Ho && w < Wo) y[((n * O + o) * Ho + h) * Wo + w] = sum;
}
