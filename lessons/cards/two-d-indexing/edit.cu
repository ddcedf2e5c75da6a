// C (M, N) = A (M, K) · B (K, N), a thread for each element of C. The grid covers the columns in x and the rows in y, in whole blocks.

__global__ void product_index_column_from_x(const float* A, const float* B, float* C, int M, int N, int K) {
    // Yours: the row and the column of this thread's element, and the test that sends away those beyond the edges.
    const int row = threadIdx.y, column = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
    C[row * N + column] = sum;
}
