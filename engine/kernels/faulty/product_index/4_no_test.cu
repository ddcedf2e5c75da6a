// Product by a 2-D grid, rung 4: without the test.
//
// Wrong where M or N is no multiple of the block: threads beyond the edges read beyond A and B and write beyond C. A column beyond the right
// edge is one of the next row, which another thread computes, too; a row beyond the lower edge is memory of somebody else.
//
// A thread owns C[row][column], if there is one.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K, and what is computed beyond.

__global__ void product_index_no_test(const float* A, const float* B, float* C, int M, int N, int K) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
