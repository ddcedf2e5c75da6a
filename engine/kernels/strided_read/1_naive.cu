// Read with stride and offset, rung 1: one thread reads one element.
//
// y[i] = x[i · stride + offset]: what a warp asks of x lies `stride` elements apart and begins at `offset`; what it writes to y are
// neighbours. With a stride of 1 and no offset its 32 words fill 4 sectors of 32 bytes. A larger stride spreads them over more sectors, the
// rest of which is moved for nothing, until each word has a sector of its own. Fields of structs that lie in an array are read with a
// stride, too.
//
// A thread owns y[i]; a warp 32 neighbours of y; a block blockDim.x neighbours of y.
// Launch: 1-D, any block; the grid covers n; n · stride + offset stays below 2³¹.
// Bytes asked: 4 · n read, 4 · n written. FLOPs: none.
// Expected of a full warp, stride 1, offset 0: loads of x and stores to y 4 sectors per request; n / 32 requests for each.

__global__ void strided_read(const float* x, float* y, int n, int stride, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = x[i * stride + offset];
}
