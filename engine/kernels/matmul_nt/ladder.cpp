#include "engine/kernels/matmul_nt/ladder.hpp"

#include <string>

namespace gradus::matmul_nt {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

/// One block for each tile of C of so many rows and columns.
KernelPlan over_tiles(const std::string& kernel, const Problem& problem, Dim3 block, int tile_rows, int tile_columns) {
    const auto dim = [&](const char* name) { return static_cast<int>(problem.at(name)); };
    const int M = dim("M"), N = dim("N"), K = dim("K");
    return {{}, {{kernel, {pieces(N, tile_columns), pieces(M, tile_rows)}, block, 0, {"A", "B", "C", M, N, K}}}};
}

/// A chain of K roundings of half a unit in the last place each: K · 2⁻²⁴ = 7.6e-6 for K = 128 where no sum cancels. In a norm they
/// add up like a random walk, to about √K · 2⁻²⁴ = 7e-7; the rest is for a C of very few elements, whose sums may nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matmul_nt",
                  .title = "Product with a transposed right operand",
                  .sizes = {{"M", 64, {1, 31, 65, 100}}, {"N", 64, {1, 30, 67, 132}}, {"K", 128, {1, 7, 33, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .sizes = {M, K}},
                {.name = "B", .sizes = {N, K}},
                {.name = "C", .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    constexpr double all = 4. * 64 * 64 * 128; // bytes of either operand, one by one
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}},
         [](const Problem& problem, Dim3 block) { return over_tiles("matmul_nt_naive", problem, block, block.y, block.x); },
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"A", load, bytes, all}, {"B", load, sectors_per_request, 32}, {"B", load, bytes, all},
                         {"C", store, sectors_per_request, 4}}},
        {"2_shared", "Tiles in shared memory", {{32, 32}, {16, 16}},
         [](const Problem& problem, Dim3 block) {
             return over_tiles("matmul_nt_shared<" + std::to_string(block.x) + ">", problem, block, block.x, block.x);
         },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, all / 32}, {"B", load, sectors_per_request, 4}, {"B", load, bytes, all / 32},
                         {"C", store, sectors_per_request, 4}, {"a_tile", load, wavefronts_per_request, 1}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
        {"3_tile_2d", "A square of sums per thread", {{8, 8}, {16, 16}},
         [](const Problem& problem, Dim3 block) {
             return over_tiles("matmul_nt_tile_2d<" + std::to_string(64 / block.x) + ">", problem, block, 64, 64);
         },
         tolerance, 75, {{"A", load, sectors_per_request, 4}, {"A", load, bytes, all / 64}, {"B", load, sectors_per_request, 4}, {"B", load, bytes, all / 64},
                         {"C", store, sectors_per_request, 32}, {"a_tile", load, wavefronts_per_request, 4}, {"a_tile", store, wavefronts_per_request, 1},
                         {"b_tile", load, wavefronts_per_request, 2}, {"b_tile", store, wavefronts_per_request, 1}}},
    };
    for (Rung& rung : ladder.rungs) rung.exact = true; // each element is one chain of multiply-adds in the order of k
    return ladder;
}

} // namespace gradus::matmul_nt
