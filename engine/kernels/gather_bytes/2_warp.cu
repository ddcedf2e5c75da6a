// Rows of bytes as numbers, rung 2: a warp for each row.
//
// What changed: the lanes of a warp share a row and move neighbours of it: 32 bytes are one sector to read, 128 bytes four to write.
//
// A lane owns every 32nd element of a row; a warp owns the row y[t].
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers T. Every index lies in [0, V); V · C stays below 2³¹.
// Bytes: T · C read and 4 · T for the index, 4 · T · C written. FLOPs: T · C.
// Expected of a full warp, where C is a multiple of 32: loads of x 1 sector per request, stores to y 4; loads of index 1.

__global__ void gather_bytes_warp(const unsigned char* x, const int* index, float* y, float scale, int T, int C) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    const unsigned char* from = x + index[t] * C;
    for (int c = threadIdx.x; c < C; c += 32) y[t * C + c] = from[c] * scale;
}
