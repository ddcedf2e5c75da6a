// Quantise to int8, rung 4: sixteen bytes at a time.
//
// What changed: again a warp for each row, but a lane reads four neighbours at once, as float4, and writes four bytes as one word.
// Where `columns` is no multiple of 4, rows do not start at multiples of 16 bytes: these are read and written one by one, as in rung 2.
//
// A lane owns four neighbours in every 128 elements of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// FLOPs: 2 · rows · columns. Bytes: 8 · rows · columns read, rows · columns and 4 for each row written.
// Expected of a full warp: loads of x 16 sectors per request, stores to q 4 (128 bytes), stores to scales 1, by one lane.

static __device__ signed char quantised(float x, float scale) { return static_cast<signed char>(rintf(x / scale)); }

__global__ void quantise_vectorised(const float* x, signed char* q, float* scales, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const bool fours = columns % 4 == 0;
    const float* from = x + row * columns;
    signed char* to = q + row * columns;

    // The largest element: each lane's, then the row's.
    float largest = 0;
    if (fours) {
        for (int c = 4 * lane; c < columns; c += 128) {
            const float4 four = *reinterpret_cast<const float4*>(from + c);
            largest = fmaxf(largest, fmaxf(fmaxf(fabsf(four.x), fabsf(four.y)), fmaxf(fabsf(four.z), fabsf(four.w))));
        }
    } else {
        for (int c = lane; c < columns; c += 32) largest = fmaxf(largest, fabsf(from[c]));
    }
    for (int distance = 16; distance > 0; distance /= 2) largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, distance));
    const float scale = largest > 0 ? largest / 127 : 1;
    if (lane == 0) scales[row] = scale;

    // All elements in steps of the scale.
    if (fours) {
        for (int c = 4 * lane; c < columns; c += 128) {
            const float4 four = *reinterpret_cast<const float4*>(from + c);
            *reinterpret_cast<char4*>(to + c) = make_char4(quantised(four.x, scale), quantised(four.y, scale),
                                                           quantised(four.z, scale), quantised(four.w, scale));
        }
    } else {
        for (int c = lane; c < columns; c += 32) to[c] = quantised(from[c], scale);
    }
}
