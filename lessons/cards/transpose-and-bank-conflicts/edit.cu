// Transpose through a tile in shared memory: y[c][r] = x[r][c].
//
// A block reads a tile of 32 × 32 row by row and writes it out row by row of y, so that both sides are coalesced. But a column of the tile
// lies in one bank: 32 turns for each read of the tile.
//
// Yours: the two lines that touch the tile. Leave it 32 × 32. Where in its row element (r, c) stands is for you to say, as long as both
// lines say the same: an XOR (^) with the row spreads a column over all banks.

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
