// Transpose, rung 2: through a tile in shared memory.
//
// What changed: a block reads a tile of 32 × 32 row by row and writes it out row by row of y, so that both sides are coalesced. The
// turn happens in shared memory, where a column costs no sectors. But a column of the tile lies in one bank: 32 wavefronts.
//
// A thread owns 32 / blockDim.y elements of a column of the tile; a warp owns rows; a block owns the tile.
// Launch: blockDim.x = 32, blockDim.y divides 32; the grid covers columns in x and rows in y, 32 at a time.
// Bytes: 4 · rows · columns read, as many written. Shared: 4 KiB.
// Expected of a full warp: loads of x and stores to y 4 sectors per request; stores to the tile 1 wavefront, loads 32.
// Source: Ruetsch and Micikevicius, "Optimizing matrix transpose in CUDA", 2009.

constexpr int side = 32; // of the tile

__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[side][side];

    // Load: threadIdx.x walks along a row of x.
    int column = blockIdx.x * side + threadIdx.x;
    int row = blockIdx.y * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < rows && column < columns) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * columns + column];

    __syncthreads(); // another warp wrote what this one reads

    // Write: threadIdx.x walks along a row of y, which is a column of the tile.
    column = blockIdx.y * side + threadIdx.x;
    row = blockIdx.x * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < columns && column < rows) y[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}
