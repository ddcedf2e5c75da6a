// Quantise to int8, rung 1: one thread quantises one row.
//
// scales[row] = max |x| / 127 and q = x / scale, rounded to the nearest whole number, ties to even: symmetric, zero stays zero. A row has
// to be read to its end before its first number can be written, so x is read twice. Both divisions are fp32's, rounded correctly, so
// that every rung gives the same bits. |q| is at most 127: the largest element gives 127, up to a rounding far smaller than a half.
//
// A thread owns a row; the lanes of a warp are a row apart: 32 sectors of 32 bytes for 128 bytes of x, and for 32 of q.
// Launch: 1-D, any block; the grid covers the rows.
// FLOPs: 2 · rows · columns (a maximum and a division). Bytes: 8 · rows · columns read, rows · columns and 4 for each row written.
// Expected of a full warp: loads of x and stores to q 32 sectors per request, stores to scales 4.

__global__ void quantise_naive(const float* x, signed char* q, float* scales, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    // The largest element.
    float largest = 0;
    for (int c = 0; c < columns; ++c) largest = fmaxf(largest, fabsf(x[row * columns + c]));
    const float scale = largest > 0 ? largest / 127 : 1;
    scales[row] = scale;

    // All elements in steps of the scale.
    for (int c = 0; c < columns; ++c) q[row * columns + c] = static_cast<signed char>(rintf(x[row * columns + c] / scale));
}
