// Matrix product, rung 2: neighbouring lanes take neighbouring columns.
//
// What changed: threadIdx.x counts columns. The lanes of a warp read neighbours in a row of B and write neighbours in a row of C: 4
// sectors for 128 bytes. In A they all read the same element. Not one FLOP is saved.
//
// A thread owns C[row][column]; a warp owns 32 neighbours of a row.
// Launch: any block; the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 8 · M · N · K read, 4 · M · N written.
// Expected of a full warp of one row: loads of A 1 sector per request, loads of B 4, stores to C 4.
// Source: Boehm 2022, as in rung 1.

__global__ void matmul_coalesced(const float* A, const float* B, float* C, int M, int N, int K) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || column >= N) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
