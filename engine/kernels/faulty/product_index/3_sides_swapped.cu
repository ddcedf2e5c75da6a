// Product by a 2-D grid, rung 3: the sides of the grid are swapped.
//
// Wrong: the kernel takes the column from x, and the launch gives the grid as many blocks in x as cover the rows. If C is wider than high,
// its right end is never written; blocks that lie below it have nothing to do. A square C hides it.
//
// A thread owns C[row][column]; a block a rectangle of the block's shape.
// Launch: any block; the grid covers rows in x and columns in y, and should not.
// FLOPs: 2 · M · N · K, of what is covered.

__global__ void product_index_sides_swapped(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
