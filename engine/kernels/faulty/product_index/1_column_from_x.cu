// Product by a 2-D grid, rung 1: the column from x.
//
// C (M, N) = A (M, K) · B (K, N), a thread for each element of C. The column comes from x, in which neighbouring lanes differ; so a warp of
// 16 × 16 threads takes 16 neighbours of two rows. Blocks at the right and lower edges reach beyond C: hence the test.
//
// A thread owns C[row][column]; a block a rectangle of the block's shape.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K.

__global__ void product_index_column_from_x(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
