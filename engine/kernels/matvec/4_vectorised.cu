// Matrix times vector, rung 4: sixteen bytes at a time.
//
// What changed: again a warp for each row, but a lane reads four neighbours at once, as float4: a quarter of the instructions, and more
// bytes on their way at any time. Lane l adds up elements 4l … 4l + 3, then 4l + 128 …, in that order.
//
// Where K is no multiple of 4, rows do not start at multiples of 16 bytes: these are read element by element, as in rung 2.
//
// A lane owns four neighbours in every 128 elements of a row; a warp owns y[row].
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows. Without the bound of 1024 threads the
// compiler may take more registers for unrolled loops than so many threads can have.
// FLOPs: 2 · M · K. Bytes asked of global memory: 8 · M · K read, 4 · M written.
// Expected of a full warp (512 bytes are 16 sectors): loads of A and x 16 sectors per request; stores to y 1, by one lane.

__global__ void __launch_bounds__(1024) matvec_vectorised(const float* A, const float* x, float* y, int M, int K) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= M) return; // a whole warp together

    // Each lane's part.
    float sum = 0;
    if (K % 4 == 0) {
        for (int k = 4 * lane; k < K; k += 128) {
            const float4 a = *reinterpret_cast<const float4*>(A + row * K + k);
            const float4 b = *reinterpret_cast<const float4*>(x + k);
            sum = fmaf(a.x, b.x, sum);
            sum = fmaf(a.y, b.y, sum);
            sum = fmaf(a.z, b.z, sum);
            sum = fmaf(a.w, b.w, sum);
        }
    } else {
        for (int k = lane; k < K; k += 32) sum = fmaf(A[row * K + k], x[k], sum);
    }

    // All parts: after each step half as many lanes hold a sum that counts.
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
