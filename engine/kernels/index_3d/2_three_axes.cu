// Indices of an image, rung 2: an axis of the grid for each axis of the tensor.
//
// What changed: x covers the columns, y the rows and z the channels, the innermost axis in x. No division is needed; the flat index is put
// together from the three by Horner's rule. The price: where W or H is no multiple of the block's side, threads at the edges idle.
//
// A thread owns y[c][h][w]; a warp of a block that is 32 wide owns 32 neighbours of a row; a block a box.
// Launch: any block (at most 64 in z); the grid covers W in x, H in y and C in z, the latter two with at most 65,535 blocks.
// Bytes asked: 8 · C · H · W read, 4 · C · H · W written. FLOPs: C · H · W.
// Expected of a full warp of 32 × 8 × 1 threads: loads of x and stores to y 4 sectors per request; loads of bias 1.

__global__ void index_3d_three_axes(const float* x, const float* bias, float* y, int C, int H, int W) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    const int h = blockIdx.y * blockDim.y + threadIdx.y;
    const int c = blockIdx.z * blockDim.z + threadIdx.z;
    if (c >= C || h >= H || w >= W) return; // beyond any of the three edges
    const int i = (c * H + h) * W + w;
    y[i] = x[i] + bias[c];
}
