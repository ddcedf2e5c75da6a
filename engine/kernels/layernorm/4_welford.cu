// Layer normalisation, rung 4: mean and variance in one pass.
//
// What changed: again a warp for each row, but x is read twice instead of three times. Welford's method keeps the mean so far, and the sum
// of squared distances to it. An element at distance d from the old mean moves the mean by d / count, and adds d · (distance to the new
// mean) to the squares: these are small numbers, so nothing cancels. Two such triples (count, mean, squares) of different elements, d
// apart in their means, make one by Chan's formula: the mean moves by d · count_b / count, and d² · count_a · count_b / count joins the
// squares. The price is a division for every element.
//
// A lane owns every 32nd element of a row, in their order; a warp owns the row. Triples are put together at distances 16, 8, 4, 2, 1, in
// the lower lane of each pair; lane 0 has the row's, and hands it to all.
// Launch: blockDim = (32, rows of the block), any number of rows; the grid covers the rows.
// Bytes: 16 · rows · columns read (x twice, gamma, beta), 4 · rows · columns + 8 · rows written. FLOPs: 11 · rows · columns.
// Expected of a full warp: loads of x, gamma and beta and stores to y 4 sectors per request; stores to mean and rstd 1, by one lane.
// Source: Welford, "Note on a method for calculating corrected sums of squares and products", 1962; Chan, Golub and LeVeque 1983.

__global__ void layernorm_welford(const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd, int rows,
                                  int columns, float epsilon) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (row >= rows) return; // a whole warp together
    const float* from = x + row * columns;
    float* to = y + row * columns;

    // Pass 1, each lane's part: one element after the other.
    float count = 0, m = 0, squares = 0;
    for (int c = lane; c < columns; c += 32) {
        count += 1;
        const float distance = from[c] - m;
        m += distance / count;
        squares = fmaf(distance, from[c] - m, squares);
    }

    // All parts: after each step half as many lanes hold a triple that counts.
    for (int apart = 16; apart > 0; apart /= 2) {
        const float other_count = __shfl_down_sync(0xffffffff, count, apart);
        const float other_m = __shfl_down_sync(0xffffffff, m, apart);
        const float other_squares = __shfl_down_sync(0xffffffff, squares, apart);
        if (other_count > 0) { // a lane beyond the end of a short row has no elements
            const float distance = other_m - m;
            const float share = other_count / (count + other_count);
            m = fmaf(distance, share, m);
            squares = fmaf(distance * distance, count * share, squares + other_squares);
            count += other_count;
        }
    }
    m = __shfl_sync(0xffffffff, m, 0);
    squares = __shfl_sync(0xffffffff, squares, 0);
    const float s = 1 / sqrtf(squares / columns + epsilon);

    // Pass 2: the result.
    for (int c = lane; c < columns; c += 32) to[c] = fmaf((from[c] - m) * s, gamma[c], beta[c]);
    if (lane == 0) mean[row] = m, rstd[row] = s;
}
