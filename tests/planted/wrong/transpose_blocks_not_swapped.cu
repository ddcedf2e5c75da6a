// Within a tile rows and columns change places, and the tiles stay where they were.
//
// rung: transpose/2_tiled
// set: rows=64
// set: columns=64
// expect: wrong result in y

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
    column = blockIdx.x * side + threadIdx.x; // <- fault: wrong result
    row = blockIdx.y * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < columns && column < rows) y[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i];
}
