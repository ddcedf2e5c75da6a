// Normalisation by the root mean square, rung 4: sixteen bytes at a time.
//
// What changed: again a warp for each row, but a lane reads and writes four neighbours at once, as float4: a quarter of the instructions,
// and more bytes on their way at any time. Lane l adds up the squares of elements 4l … 4l + 3, then 4l + 128 …, in that order.
//
// Where `columns` is no multiple of 4, rows do not start at multiples of 16 bytes: all elements go through the last loop of each pass,
// one by one.
//
// A lane owns four neighbours in every 128 elements of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 12 · rows · columns read (x twice, gamma), 4 · rows · columns + 4 · rows written. FLOPs: 4 · rows · columns.
// Expected of a full warp (512 bytes are 16 sectors): loads of x and gamma and stores to y 16 sectors per request; stores to rrms 1, by
// one lane.
// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void rmsnorm_vectorised(const float* x, const float* gamma, float* y, float* rrms, int rows, int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;
    const int in_fours = columns % 4 == 0 ? columns : 0; // elements; the others are taken one by one

    // Pass 1: the mean square.
    float squares = 0;
    for (int c = 4 * lane; c < in_fours; c += 128) {
        const float4 four = *reinterpret_cast<const float4*>(from + c);
        squares = fmaf(four.x, four.x, squares);
        squares = fmaf(four.y, four.y, squares);
        squares = fmaf(four.z, four.z, squares);
        squares = fmaf(four.w, four.w, squares);
    }
    for (int c = in_fours + lane; c < columns; c += 32) squares = fmaf(from[c], from[c], squares);
    const float s = 1 / sqrtf(warp_sum(squares) / columns + epsilon);

    // Pass 2: the result.
    for (int c = 4 * lane; c < in_fours; c += 128) {
        float4 four = *reinterpret_cast<const float4*>(from + c);
        const float4 scale = *reinterpret_cast<const float4*>(gamma + c);
        four.x = four.x * s * scale.x;
        four.y = four.y * s * scale.y;
        four.z = four.z * s * scale.z;
        four.w = four.w * s * scale.w;
        *reinterpret_cast<float4*>(to + c) = four;
    }
    for (int c = in_fours + lane; c < columns; c += 32) to[c] = from[c] * s * gamma[c];
    if (lane == 0) rrms[row] = s;
}
