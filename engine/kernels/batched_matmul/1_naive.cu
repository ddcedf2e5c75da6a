// Batched matrix product, rung 1: one thread computes one element.
//
// C[b] (M, N) = A[b] (M, K) · B[b] (K, N) for every b of a batch, as for the heads of an attention: many products, each too small to fill a
// GPU. The matrices of a batch lie one after the other, and one launch does them all: blockIdx.z says which. Each sum is one chain of fmaf
// in the order of k, in both rungs: they give the same bits.
//
// A thread owns C[b][row][column]; a warp owns 32 neighbours of a row.
// Launch: any block with blockDim.z = 1; the grid covers columns in x and rows in y, and gridDim.z = batch.
// FLOPs: 2 · batch · M · N · K. Bytes asked of global memory: 8 · batch · M · N · K read, 4 · batch · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 4, stores to C 4.

__global__ void batched_matmul_naive(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    const float* a = A + blockIdx.z * M * K; // this product's matrices
    const float* b = B + blockIdx.z * K * N;
    float* c = C + blockIdx.z * M * N;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(a[row * K + k], b[k * N + column], sum);
    c[row * N + column] = sum;
}
