// Transpose through a tile, without the barrier: a warp writes out columns that others have not loaded yet.
//
// rung: transpose/2_tiled
// set: rows=64
// set: columns=64
// expect: race in tile
// expect: uninitialised in tile
// schedules: differ

constexpr int side = 32; // of the tile

__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[side][side];

    // Load: threadIdx.x walks along a row of x.
    int column = blockIdx.x * side + threadIdx.x;
    int row = blockIdx.y * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < rows && column < columns) tile[threadIdx.y + i][threadIdx.x] = x[(row + i) * columns + column]; // <- fault: race

    // Write: threadIdx.x walks along a row of y, which is a column of the tile.
    column = blockIdx.y * side + threadIdx.x;
    row = blockIdx.x * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < columns && column < rows) y[(row + i) * rows + column] = tile[threadIdx.x][threadIdx.y + i]; // <- fault: race, uninitialised
}
