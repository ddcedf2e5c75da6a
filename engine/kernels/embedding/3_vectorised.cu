// Embedding, rung 3: sixteen bytes at a time.
//
// What changed: a lane moves four neighbours at once, as float4: the same bytes with a quarter of the instructions. Where C is no multiple of
// 4, rows do not start at multiples of 16 bytes: all elements go through the last loop, one by one.
//
// A lane owns four neighbours in every 128 elements of a row; a warp owns the row y[t].
// Launch: blockDim = (32, tokens of the block), any number of tokens; the grid covers T. Every index lies in [0, V).
// Bytes: 4 · T · C read and 4 · T for the index, 4 · T · C written. FLOPs: none.
// Expected of a full warp (512 bytes are 16 sectors): loads of table and stores to y 16 sectors per request; loads of index 1.

__global__ void embedding_vectorised(const float* table, const int* index, float* y, int T, int C) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= T) return;
    const float* from = table + index[t] * C;
    float* to = y + t * C;
    const int in_fours = C % 4 == 0 ? C : 0; // elements; the others are moved one by one
    for (int c = 4 * threadIdx.x; c < in_fours; c += 128) *reinterpret_cast<float4*>(to + c) = *reinterpret_cast<const float4*>(from + c);
    for (int c = in_fours + threadIdx.x; c < C; c += 32) to[c] = from[c];
}
