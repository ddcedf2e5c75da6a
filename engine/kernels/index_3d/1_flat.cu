// Indices of an image, rung 1: one flat index, taken apart.
//
// A bias is added to every channel of an image of C channels, H rows and W columns. It lies in memory as one row of C · H · W elements, and
// a 1-D grid covers that. The thread needs its channel: it divides its flat index by the elements of a channel. (A row would be
// i / W % H and a column i % W.) An integer division costs a GPU some twenty instructions.
//
// A thread owns y[i]; a warp 32 neighbours; a block blockDim.x neighbours.
// Launch: 1-D, any block; the grid covers C · H · W < 2³¹.
// Bytes asked: 8 · C · H · W read, 4 · C · H · W written. FLOPs: C · H · W.
// Expected of a full warp: loads of x and stores to y 4 sectors per request; loads of bias 1, all lanes read the same.

__global__ void index_3d_flat(const float* x, const float* bias, float* y, int C, int H, int W) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= C * H * W) return;
    const int c = i / (H * W);
    y[i] = x[i] + bias[c];
}
