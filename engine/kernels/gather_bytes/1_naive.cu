// Rows of bytes as numbers, rung 1: a thread for each row.
//
// y[t] = scale · x[index[t]]: how a batch is made of images that lie in memory as bytes, a quarter of what they take as numbers. The index
// says which images; each byte becomes an fp32 on its way.
//
// A thread owns the row y[t]; it walks along it. The lanes of a warp write a whole row apart, 32 sectors of 32 bytes for 128 bytes.
//
// Launch: 1-D, any block; the grid covers T. Every index lies in [0, V); V · C stays below 2³¹.
// Bytes: T · C read and 4 · T for the index, 4 · T · C written. FLOPs: T · C.
// Expected of a full warp: loads of index 4 sectors per request; stores to y 32; loads of x up to 32, by the rows.

__global__ void gather_bytes_naive(const unsigned char* x, const int* index, float* y, float scale, int T, int C) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= T) return;
    const unsigned char* from = x + index[t] * C;
    for (int c = 0; c < C; ++c) y[t * C + c] = from[c] * scale;
}
