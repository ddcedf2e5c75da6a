#include "engine/kernels/matmul/ladder.hpp"

#include <string>

namespace gradus::matmul {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// One block for each tile of C of so many rows and columns.
KernelPlan over_tiles(const std::string& kernel, const Problem& problem, Dim3 block, int tile_rows, int tile_columns) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    return {{}, {{kernel, {pieces(N, tile_columns), pieces(M, tile_rows)}, block, 0, {"A", "B", "C", M, N, K}}}};
}

/// Rung 1, where x counts rows.
KernelPlan naive(const Problem& problem, Dim3 block) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    return {{}, {{"matmul_naive", {pieces(M, block.x), pieces(N, block.y)}, block, 0, {"A", "B", "C", M, N, K}}}};
}

/// "matmul_tile_2d<8>" for a block of 8 × 8, <2> for one of 32 × 32: the tile is 64 × 64.
KernelPlan squares(const std::string& kernel, const Problem& problem, Dim3 block) {
    return over_tiles(kernel + "<" + std::to_string(64 / block.x) + ">", problem, block, 64, 64);
}

/// Blocks of 2, 4 or 8 warps, each with 32 × 64 elements of C.
KernelPlan warps(const std::string& kernel, const Problem& problem, Dim3 block) {
    const int across = block.y == 2 ? 1 : 2, down = block.y / across;
    return over_tiles(kernel + "<" + std::to_string(down) + ", " + std::to_string(across) + ">", problem, block, 32 * down, 64 * across);
}

/// A chain of K roundings of half a unit in the last place each adds up like a random walk, to about √K · 2⁻²⁴ = 7e-7 for K = 128. Where C
/// is one element, its terms may cancel to a fiftieth of their norm. A wrong element of A or B shows as 1e-3 and more.
constexpr double tolerance = 5e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matmul",
                  .title = "Matrix product",
                  .sizes = {{"M", 128, {1, 31, 65, 100}}, {"N", 128, {1, 30, 67, 132}}, {"K", 128, {1, 7, 33, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .sizes = {M, K}},
                {.name = "B", .sizes = {K, N}},
                {.name = "C", .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, naive,
         tolerance, 75, {{"A", load, sectors_per_request, 32}, {"A", load, bytes, 8388608}, {"B", load, sectors_per_request, 1},
                         {"B", load, bytes, 8388608}, {"C", store, sectors_per_request, 32}}},
        {"2_coalesced", "Neighbouring lanes take neighbouring columns", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_tiles("matmul_coalesced", problem, block, block.y, block.x); },
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"A", load, bytes, 8388608}, {"B", load, sectors_per_request, 4},
                         {"B", load, bytes, 8388608}, {"C", store, sectors_per_request, 4}}},
        {"3_shared", "Tiles in shared memory", {{32, 32}, {16, 16}},
         [](const Problem& problem, Dim3 block) {
             return over_tiles("matmul_shared<" + std::to_string(block.x) + ">", problem, block, block.x, block.x);
         },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, 262144}, {"B", load, sectors_per_request, 4},
                         {"B", load, bytes, 262144}, {"C", store, sectors_per_request, 4},
                         {"a_tile", load, wavefronts_per_request, 1}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
        {"4_tile_1d", "Several rows per thread", {{64, 8}, {64, 16}, {64, 4}},
         [](const Problem& problem, Dim3 block) {
             return over_tiles("matmul_tile_1d<" + std::to_string(64 / block.y) + ">", problem, block, 64, 64);
         },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, 131072}, {"B", load, sectors_per_request, 4},
                         {"B", load, bytes, 131072}, {"C", store, sectors_per_request, 4},
                         {"a_tile", load, wavefronts_per_request, 1}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
        {"5_tile_2d", "A square of sums per thread", {{8, 8}, {16, 16}, {32, 32}},
         [](const Problem& problem, Dim3 block) { return squares("matmul_tile_2d", problem, block); },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, 131072}, {"B", load, sectors_per_request, 4},
                         {"B", load, bytes, 131072}, {"C", store, sectors_per_request, 32},
                         {"a_tile", load, wavefronts_per_request, 4}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 2}, {"b_tile", store, wavefronts_per_request, 1}}},
        {"6_vectorised", "Sixteen bytes at a time", {{8, 8}, {16, 16}},
         [](const Problem& problem, Dim3 block) { return squares("matmul_vectorised", problem, block); },
         tolerance, 75, {{"A", load, sectors_per_request, 16}, {"A", load, bytes, 131072}, {"B", load, sectors_per_request, 16},
                         {"B", load, bytes, 131072}, {"C", store, sectors_per_request, 32},
                         {"a_tile", load, wavefronts_per_request, 4}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 8}, {"b_tile", store, wavefronts_per_request, 4}}},
        {"7_warp_tiles", "A tile for each warp", {{32, 4}, {32, 2}, {32, 8}},
         [](const Problem& problem, Dim3 block) { return warps("matmul_warp_tiles", problem, block); },
         tolerance, 75, {{"A", load, sectors_per_request, 16}, {"A", load, bytes, 65536}, {"B", load, sectors_per_request, 16},
                         {"B", load, bytes, 131072}, {"C", store, sectors_per_request, 16},
                         {"a_tile", load, wavefronts_per_request, 4}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 4}, {"b_tile", store, wavefronts_per_request, 4}}},
        {"8_double_buffered", "The next tiles are on their way", {{32, 4}, {32, 2}, {32, 8}},
         [](const Problem& problem, Dim3 block) { return warps("matmul_double_buffered", problem, block); },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, 65536}, {"B", load, sectors_per_request, 16},
                         {"B", load, bytes, 131072}, {"C", store, sectors_per_request, 16},
                         {"a_tile", load, wavefronts_per_request, 4}, {"b_tile", load, wavefronts_per_request, 4}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true; // each element is one chain of multiply-adds in the order of k
    return ladder;
}

} // namespace gradus::matmul
