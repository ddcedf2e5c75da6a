// Matrix product, rung 7: a tile for each warp.
//
// What changed: between block and thread stands the warp. It owns 32 × 64 elements of C, as a compact tile, and its lanes stand in it 4
// deep and 8 wide. A lane's 8 × 8 elements are no longer one square but four pieces of 4 × 4, in the four quarters of the warp's tile:
// in each quarter the eight lanes of a row read 32 neighbours of b_tile, each bank once, and write 128 neighbouring bytes of C.
//
//                  64 columns of C
//            lanes 0 … 7     lanes 0 … 7
//     32     lanes 8 … 15    lanes 8 … 15      16 rows: a quarter is 16 × 32, a lane's piece of it 4 × 4
//    rows    …               …
//            lanes 0 … 7     lanes 0 … 7
//            …               …
//
// A lane owns 8 × 8 elements of C; a warp owns 32 × 64; a block owns warps_down × warps_across such tiles.
// Launch: blockDim = (32, warps): 2 (64 × 64 elements of C), 4 (64 × 128) or 8 (128 × 128); the grid covers columns in x and rows in y.
// FLOPs: 2 · M · N · K. Bytes asked of global memory: 4 · M · N · K · (1 / rows + 1 / columns of the block's tile) read, 4 · M · N
// written. Shared: 6.1 KiB for 64 × 128.
// Expected (a warp's 512 bytes are 16 sectors, or 4 wavefronts, at best): loads of A and B and stores to C 16 sectors per request; loads of
// a_tile and b_tile 4 wavefronts, stores to b_tile 4, to a_tile (single words) 1.
// Source: Boehm 2022; CUTLASS, "Efficient GEMM in CUDA".

constexpr int depth = 8;                         // of the tiles of A and B, in k
constexpr int warp_rows = 32, warp_columns = 64; // of a warp's tile of C
constexpr int half_rows = 16, half_columns = 32; // of a quarter of it
constexpr int lane_columns = 8;                  // lanes side by side in a quarter

/// x[row][column … column + 3] of a matrix, and zeros beyond its edges, which leave a sum as it is.
static __device__ float4 load4(const float* x, int row, int column, int rows, int columns) {
    if (row >= rows || column >= columns) return make_float4(0, 0, 0, 0);
    const float* from = x + row * columns + column;
    if (columns % 4 == 0) return *reinterpret_cast<const float4*>(from);
    return make_float4(from[0], column + 1 < columns ? from[1] : 0, column + 2 < columns ? from[2] : 0, column + 3 < columns ? from[3] : 0);
}

/// Four neighbours in shared memory.
static __device__ void read4(const float* from, float* to) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

template <int warps_down, int warps_across>
__global__ void matmul_warp_tiles(const float* A, const float* B, float* C, int M, int N, int K) {
    constexpr int tile_rows = warps_down * warp_rows, tile_columns = warps_across * warp_columns;
    constexpr int threads = warps_down * warps_across * 32;
    __shared__ __align__(16) float a_tile[depth][tile_rows + 4]; // turned: a_tile[k][row]
    __shared__ __align__(16) float b_tile[depth][tile_columns];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int rank = warp * 32 + lane;
    const int row0 = blockIdx.y * tile_rows, column0 = blockIdx.x * tile_columns; // of the block's tile of C
    // Of this lane's piece of the first quarter of its warp's tile, in the block's tile.
    const int my_row = warp / warps_across * warp_rows + lane / lane_columns * 4;
    const int my_column = warp % warps_across * warp_columns + lane % lane_columns * 4;
    float sums[8][8] = {}; // rows 0 … 3 in the upper quarters, 4 … 7 in the lower; columns 0 … 3 in the left, 4 … 7 in the right

    for (int k0 = 0; k0 < K; k0 += depth) {
        // Load: the threads in their order take fours of elements row by row.
        for (int i = 4 * rank; i < tile_rows * depth; i += 4 * threads) {
            const int row = i / depth, k = i % depth;
            const float4 four = load4(A, row0 + row, k0 + k, M, K);
            a_tile[k][row] = four.x;
            a_tile[k + 1][row] = four.y;
            a_tile[k + 2][row] = four.z;
            a_tile[k + 3][row] = four.w;
        }
        for (int i = 4 * rank; i < depth * tile_columns; i += 4 * threads) {
            const int k = i / tile_columns, column = i % tile_columns;
            *reinterpret_cast<float4*>(&b_tile[k][column]) = load4(B, k0 + k, column0 + column, K, N);
        }
        __syncthreads(); // other threads loaded what this one multiplies

        // Compute: a column of A times a row of B, from registers.
        for (int k = 0; k < depth; ++k) {
            float a[8], b[8];
            read4(&a_tile[k][my_row], a);
            read4(&a_tile[k][my_row + half_rows], a + 4);
            read4(&b_tile[k][my_column], b);
            read4(&b_tile[k][my_column + half_columns], b + 4);
            for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
        }
        __syncthreads(); // the next tiles overwrite what others may still be reading
    }

    // Write: fours where rows of C start at multiples of 16 bytes.
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; j += 4) {
            const int row = row0 + my_row + i % 4 + i / 4 * half_rows;
            const int column = column0 + my_column + j / 4 * half_columns;
            if (row >= M || column >= N) continue;
            float* to = C + row * N + column;
            if (N % 4 == 0)
                *reinterpret_cast<float4*>(to) = make_float4(sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]);
            else
                for (int l = 0; l < 4 && column + l < N; ++l) to[l] = sums[i][j + l];
        }
}

template __global__ void matmul_warp_tiles<2, 2>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_warp_tiles<2, 1>(const float* A, const float* B, float* C, int M, int N, int K);
template __global__ void matmul_warp_tiles<4, 2>(const float* A, const float* B, float* C, int M, int N, int K);
