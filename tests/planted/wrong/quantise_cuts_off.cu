// A conversion cuts off; quantising rounds to the nearest.
//
// rung: quantise/1_naive
// set: rows=7
// set: columns=100
// expect: wrong result in q

__global__ void quantise_naive(const float* x, signed char* q, float* scales, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;

    // The largest element.
    float largest = 0;
    for (int c = 0; c < columns; ++c) largest = fmaxf(largest, fabsf(x[row * columns + c]));
    const float scale = largest > 0 ? largest / 127 : 1;
    scales[row] = scale;

    // All elements in steps of the scale.
    for (int c = 0; c < columns; ++c) q[row * columns + c] = static_cast<signed char>(x[row * columns + c] / scale); // <- fault: wrong result
}
