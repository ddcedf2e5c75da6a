// Element (r, c) of the tile stands in row r at place c ^ r. Down a column, r goes through 0 … 31, and so does c ^ r: 32 banks.

constexpr int side = 32; // of the tile

__global__ void transpose_tiled(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[side][side];

    int column = blockIdx.x * side + threadIdx.x;
    int row = blockIdx.y * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < rows && column < columns) tile[threadIdx.y + i][threadIdx.x ^ (threadIdx.y + i)] = x[(row + i) * columns + column];

    __syncthreads(); // another warp wrote what this one reads

    column = blockIdx.y * side + threadIdx.x;
    row = blockIdx.x * side + threadIdx.y;
    for (int i = 0; i < side; i += blockDim.y)
        if (row + i < columns && column < rows) y[(row + i) * rows + column] = tile[threadIdx.x][(threadIdx.y + i) ^ threadIdx.x];
}
