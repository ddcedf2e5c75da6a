// Transpose with any padding, rung 1: a tile with so many columns more.
//
// As transpose/3_padded, with `padding` columns instead of one. Rows of the tile are 32 + padding words long, so that neighbours in a
// column lie 32 + padding words apart: in banks that are `padding` apart. A column is free of conflicts where its 32 banks differ.
//
// A thread owns 32 / blockDim.y elements of a column of the tile; a warp owns rows; a block owns the tile.
// Launch: blockDim.x = 32, blockDim.y divides 32; the grid covers columns in x and rows in y, 32 at a time.
// Bytes: 4 · rows · columns read, as many written. Shared: 4 KiB, and 128 more for each column of padding.
// Expected of a full warp with one column of padding: loads of x and stores to y 4 sectors per request; stores to and loads from the tile
// 1 wavefront.

constexpr int side = 32; // of the tile

template <int padding>
__global__ void transpose_padding(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[side][side + padding];

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

template __global__ void transpose_padding<0>(const float* x, float* y, int rows, int columns);
template __global__ void transpose_padding<1>(const float* x, float* y, int rows, int columns);
template __global__ void transpose_padding<2>(const float* x, float* y, int rows, int columns);
template __global__ void transpose_padding<3>(const float* x, float* y, int rows, int columns);
template __global__ void transpose_padding<4>(const float* x, float* y, int rows, int columns);
