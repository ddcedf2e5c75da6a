// Product by a 2-D grid, rung 2: the row from x.
//
// What changed: x and y have changed places, in the kernel and in the grid. All is as right as before. But neighbouring lanes now take
// neighbours in a column of C, which lie a whole row apart.
//
// A thread owns C[row][column]; a block a rectangle, as wide as a block is high.
// Launch: any block; the grid covers rows in x and columns in y.
// FLOPs: 2 · M · N · K.

__global__ void product_index_row_from_x(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
