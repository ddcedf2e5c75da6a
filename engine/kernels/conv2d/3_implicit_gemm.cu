// Convolution of images, rung 3: as a matrix product whose right operand is nowhere.
//
// What changed: with a window as a column (see the ladder im2col), the convolution of an image is a matrix product,
//     y (O, P) = weight (O, K) · columns (K, P),   K = C · kernel², P = Ho · Wo positions,
// and a tile of x now serves `side` output channels, not one. The columns would be kernel² times as large as the image. So they are never made:
// when a block loads a tile of them, each thread works out where its element stands in x, and puts it into shared memory from there. All
// else is the matrix product with tiles in shared memory.
//
// A thread owns one element of y, and one of each tile to load; a block owns `side` channels at `side` positions of an image. The order of the sum
// is that of k, which is that of c, i, j.
// Launch: blockDim = (side, side), side 32 or 16; the grid covers P in x and O in y, `side` at a time, and N in z.
// FLOPs: 2 · N · O · Ho · Wo · C · kernel². Bytes asked of global memory: 8 · N · O · P · K / side read, 4 for each element of y written. Shared: 8 · side².
// Expected with side 32, stride 1, W = 32: loads of x 4 sectors per request, loads of b 1, stores to y 4; weight_tile and column_tile 1
// wavefront, loads and stores alike. A row of weights with C = 16 and 3 × 3 is 144 long: four requests of 4 sectors and one of 2, 3.6.
// Source: Chetlur et al., "cuDNN: Efficient Primitives for Deep Learning", 2014.

template <int side>
__global__ void conv2d_implicit_gemm(const float* x, const float* weight, const float* b, float* y, int C, int H, int W, int O, int kernel,
                                     int stride, int padding, int Ho, int Wo) {
    __shared__ float weight_tile[side][side]; // [output channel][k]
    __shared__ float column_tile[side][side]; // [k][position]
    const int K = C * kernel * kernel, P = Ho * Wo;
    const int position = blockIdx.x * side + threadIdx.x;
    const int o = blockIdx.y * side + threadIdx.y;
    const int n = blockIdx.z;
    const int first_row = position / Wo * stride - padding; // of the window at this position, in x
    const int first_column = position % Wo * stride - padding;

    float sum = o < O ? b[o] : 0;
    for (int k0 = 0; k0 < K; k0 += side) {
        // Load the weights; zeros beyond the edges.
        const int weight_k = k0 + threadIdx.x;
        weight_tile[threadIdx.y][threadIdx.x] = o < O && weight_k < K ? weight[o * K + weight_k] : 0;

        // Load the columns: k names a channel and a place in the window; zeros beyond the edges and outside of the image.
        const int k = k0 + threadIdx.y;
        const int c = k / (kernel * kernel);
        const int row = first_row + k / kernel % kernel;
        const int column = first_column + k % kernel;
        const bool inside = k < K && position < P && row >= 0 && row < H && column >= 0 && column < W;
        column_tile[threadIdx.y][threadIdx.x] = inside ? x[((n * C + c) * H + row) * W + column] : 0;
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a row of weight_tile times a column of column_tile.
        for (int i = 0; i < side; ++i) sum = fmaf(weight_tile[threadIdx.y][i], column_tile[i][threadIdx.x], sum);
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write.
    if (o < O && position < P) y[(n * O + o) * P + position] = sum;
}

template __global__ void conv2d_implicit_gemm<32>(const float* x, const float* weight, const float* b, float* y, int C, int H, int W, int O, int kernel, int stride, int padding, int Ho, int Wo);
template __global__ void conv2d_implicit_gemm<16>(const float* x, const float* weight, const float* b, float* y, int C, int H, int W, int O, int kernel, int stride, int padding, int Ho, int Wo);
