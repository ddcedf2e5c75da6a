// Gradients of normalisation by the root mean square, rung 2: both sums from one reading of the rows.
//
// What changed: a warp has a row, as in the forward pass, and while it has an element of dy and x in hand for dx, it adds it to dgamma too.
// That goes down the columns, across all warps of the grid. Atomics would add in another order each time; so each warp has a row of
// its own in shared memory for its rows' sums, the block adds up its warps' rows and writes them out, and a second launch adds up the
// blocks': the same bits at each run.
//
// First launch: a lane owns every 32nd element of a row, and always the same columns; a warp owns rows, as many warps of the grid apart;
// a block owns a row of dgamma_parts. Along a row, the sum is in the order of the lane's elements, then shuffles at distances 16, 8, 4, 2, 1;
// down a column, in the order of the warp's rows, then of the warps. Second launch: a thread owns a column and adds up the blocks in
// their order.
// Launch: first: blockDim = (32, warps), any number of warps with which 4 · warps · columns bytes fit into shared memory; any grid. Second:
// 1-D, any block; the grid covers the columns.
// Bytes: 24 · rows · columns read (dy, x and gamma twice), 4 · rows · columns written; 8 · columns for each block's parts.
// FLOPs: 11 · rows · columns. Shared: 4 · warps · columns bytes.
// Expected of a full warp: loads of dy, x and gamma and stores to dx 4 sectors per request; loads of rrms 1; stores to and loads of
// dgamma_parts 4, stores to dgamma 4; `sums` 1 wavefront, loads and stores alike.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void rmsnorm_backward_warp(const float* dy, const float* x, const float* rrms, const float* gamma, float* dx,
                                      float* dgamma_parts, int rows, int columns) {
    extern __shared__ float sums[]; // a row for each warp
    const int lane = threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    float* my_dgamma = sums + warp * columns;
    for (int c = lane; c < columns; c += 32) my_dgamma[c] = 0;

    for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
        const float s = rrms[row];

        // The sum along the row.
        float sum = 0;
        for (int c = lane; c < columns; c += 32) sum = fmaf(dy[row * columns + c] * gamma[c], x[row * columns + c] * s, sum);
        const float mean_g_normal = warp_sum(sum) / columns;

        // dx, and this row's share of dgamma.
        for (int c = lane; c < columns; c += 32) {
            const float d = dy[row * columns + c];
            const float normal = x[row * columns + c] * s;
            dx[row * columns + c] = s * fmaf(-normal, mean_g_normal, d * gamma[c]);
            my_dgamma[c] = fmaf(d, normal, my_dgamma[c]);
        }
    }
    __syncthreads(); // other warps wrote the sums that this one reads

    // The block's sums: all its threads side by side along the columns.
    for (int c = warp * 32 + lane; c < columns; c += 32 * warps) {
        float dgamma = 0;
        for (int w = 0; w < warps; ++w) dgamma += sums[w * columns + c];
        dgamma_parts[blockIdx.x * columns + c] = dgamma;
    }
}

__global__ void rmsnorm_backward_warp_dgamma(const float* dgamma_parts, float* dgamma, int blocks, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int b = 0; b < blocks; ++b) sum += dgamma_parts[b * columns + column];
    dgamma[column] = sum;
}
