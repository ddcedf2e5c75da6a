// A row of 130 holds 32 fours, but the second row begins at no multiple of 16 bytes.
//
// rung: softmax/5_vectorised
// set: rows=8
// set: columns=130
// expect: misaligned in x

__device__ float warp_max(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void softmax_vectorised(const float* x, float* y, int rows, int columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;
    const int in_fours = columns / 4 * 4; // elements; the others are taken one by one

    // Each lane's part; -INFINITY and 0 where it has no element.
    float max = -INFINITY, sum = 0;
    for (int c = 4 * lane; c < in_fours; c += 128) {
        const float4 four = *reinterpret_cast<const float4*>(from + c); // <- fault: misaligned
        const float larger = fmaxf(fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)), max);
        const float added = expf(four.x - larger) + expf(four.y - larger) + expf(four.z - larger) + expf(four.w - larger);
        sum = fmaf(sum, expf(max - larger), added);
        max = larger;
    }
    for (int c = in_fours + lane; c < columns; c += 32) {
        const float larger = fmaxf(max, from[c]);
        sum = fmaf(sum, expf(max - larger), expf(from[c] - larger));
        max = larger;
    }

    // The row's: all sums for one maximum.
    const float row_max = warp_max(max);
    const float row_sum = warp_sum(sum * expf(max - row_max));

    // The result.
    for (int c = 4 * lane; c < in_fours; c += 128) {
        float4 four = *reinterpret_cast<const float4*>(from + c);
        four.x = expf(four.x - row_max) / row_sum;
        four.y = expf(four.y - row_max) / row_sum;
        four.z = expf(four.z - row_max) / row_sum;
        four.w = expf(four.w - row_max) / row_sum;
        *reinterpret_cast<float4*>(to + c) = four;
    }
    for (int c = in_fours + lane; c < columns; c += 32) to[c] = expf(from[c] - row_max) / row_sum;
}
