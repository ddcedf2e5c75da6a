// Gradients of layer normalisation, rung 2: both sums from one reading of the rows.
//
// What changed: a warp has a row, as in the forward pass, and while it has an element of dy and x in hand for dx, it adds it to dgamma
// and dbeta too. Those go down the columns, across all warps of the grid. Atomics would add them in another order each time; so each warp
// has two rows of its own in shared memory for its rows' sums, the block adds up its warps' rows and writes them out, and a second
// launch adds up the blocks': the same bits at each run.
//
// First launch: a lane owns every 32nd element of a row, and always the same columns; a warp owns rows, as many warps of the grid apart;
// a block owns a row of dgamma_parts and dbeta_parts. Along a row, sums are in the order of the lane's elements, then shuffles at distances
// 16, 8, 4, 2, 1; down a column, in the order of the warp's rows, then of the warps. Second launch: a thread owns a column and adds up
// the blocks in their order.
// Launch: first: blockDim = (32, warps), any number of warps with which 8 · warps · columns bytes fit into shared memory; any grid. Second:
// 1-D, any block; the grid covers the columns.
// Bytes: 24 · rows · columns read (dy, x and gamma twice), 4 · rows · columns written; 16 · columns for each block's parts.
// FLOPs: 16 · rows · columns. Shared: 8 · warps · columns bytes.
// Expected of a full warp: loads of dy, x and gamma and stores to dx 4 sectors per request; loads of mean and rstd 1; stores to and loads
// of dgamma_parts and dbeta_parts 4, stores to dgamma and dbeta 4; `sums` 1 wavefront, loads and stores alike.

__device__ float warp_sum(float value) { // of all lanes, in all lanes
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__global__ void layernorm_backward_warp(const float* dy, const float* x, const float* mean, const float* rstd, const float* gamma,
                                        float* dx, float* dgamma_parts, float* dbeta_parts, int rows, int columns) {
    extern __shared__ float sums[]; // for each warp a row for dgamma and one for dbeta
    const int lane = threadIdx.x, warp = threadIdx.y, warps = blockDim.y;
    float* my_dgamma = sums + 2 * warp * columns;
    float* my_dbeta = my_dgamma + columns;
    for (int c = lane; c < columns; c += 32) {
        my_dgamma[c] = 0;
        my_dbeta[c] = 0;
    }

    for (int row = blockIdx.x * warps + warp; row < rows; row += gridDim.x * warps) {
        const float m = mean[row], s = rstd[row];

        // The two sums along the row.
        float sum = 0, sum_normal = 0;
        for (int c = lane; c < columns; c += 32) {
            const float g = dy[row * columns + c] * gamma[c];
            sum += g;
            sum_normal = fmaf(g, (x[row * columns + c] - m) * s, sum_normal);
        }
        const float mean_g = warp_sum(sum) / columns, mean_g_normal = warp_sum(sum_normal) / columns;

        // dx, and this row's share of dgamma and dbeta.
        for (int c = lane; c < columns; c += 32) {
            const float d = dy[row * columns + c];
            const float normal = (x[row * columns + c] - m) * s;
            dx[row * columns + c] = s * fmaf(-normal, mean_g_normal, d * gamma[c] - mean_g);
            my_dgamma[c] = fmaf(d, normal, my_dgamma[c]);
            my_dbeta[c] += d;
        }
    }
    __syncthreads(); // other warps wrote the sums that this one reads

    // The block's sums: all its threads side by side along the columns.
    for (int c = warp * 32 + lane; c < columns; c += 32 * warps) {
        float dgamma = 0, dbeta = 0;
        for (int w = 0; w < warps; ++w) {
            dgamma += sums[2 * w * columns + c];
            dbeta += sums[(2 * w + 1) * columns + c];
        }
        dgamma_parts[blockIdx.x * columns + c] = dgamma;
        dbeta_parts[blockIdx.x * columns + c] = dbeta;
    }
}

__global__ void layernorm_backward_warp_parameters(const float* dgamma_parts, const float* dbeta_parts, float* dgamma, float* dbeta,
                                                   int blocks, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0, sum_normal = 0;
    for (int b = 0; b < blocks; ++b) {
        sum_normal += dgamma_parts[b * columns + column];
        sum += dbeta_parts[b * columns + column];
    }
    dgamma[column] = sum_normal;
    dbeta[column] = sum;
}
