// Reversal, rung 2: in place, by pairs.
//
// What changed: the array is turned round where it is. With a thread for each element, y[i] = y[n - 1 - i] would be a race: of the two
// threads of a pair each overwrites what the other reads. So a thread gets the pair, reads both and then writes both; half as many
// threads. No second array is needed; here a first launch only brings x to y.
//
// A thread owns y[i] and y[n - 1 - i]. (The one in the middle of an odd n stays.)
// Launch: reverse_in_place_copy, 1-D, any block, the grid covers n; then reverse_in_place, 1-D, any block, the grid covers n / 2.
// Bytes: 4 · n read, 4 · n written, without the copy. FLOPs: none.
// Expected of a full warp, n a multiple of 64: loads and stores 4 sectors per request.

__global__ void reverse_in_place_copy(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

__global__ void reverse_in_place(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const float left = y[i], right = y[n - 1 - i];
    y[i] = right;
    y[n - 1 - i] = left;
}
