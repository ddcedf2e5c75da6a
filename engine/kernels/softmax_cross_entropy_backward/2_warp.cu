// Gradient of softmax and cross-entropy, rung 2: a warp for each row.
//
// What changed: a warp walks along its row and asks for the label once, not at every element; and there is no division by C, of which a GPU
// makes some twenty instructions.
//
// A lane owns every 32nd element of a row; a warp owns the row.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers B.
// Bytes: 4 · B · C read and 4 · B for the labels, 4 · B · C written. FLOPs: 2 · B · C.
// Expected of a full warp, where C is a multiple of 32: loads of p and stores to dz 4 sectors per request; B requests for label, 1 sector each.

__global__ void softmax_cross_entropy_backward_warp(const float* p, const int* label, float* dz, int B, int C) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= B) return;
    const float scale = 1.0f / B;
    const int at = label[row];
    for (int c = threadIdx.x; c < C; c += 32) dz[row * C + c] = (p[row * C + c] - (c == at ? 1.0f : 0.0f)) * scale;
}
