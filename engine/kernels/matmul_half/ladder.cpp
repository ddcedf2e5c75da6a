#include "engine/kernels/matmul_half/ladder.hpp"

#include <string>

namespace gradus::matmul_half {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

/// Warps along a side of the block, of 16 × 16 elements of C each, for a block of (32, warps²).
int warps_along(Dim3 block) { return block.y == 1 ? 1 : block.y == 4 ? 2 : 4; }

KernelStep product(const std::string& kernel, const Problem& problem, Dim3 block, const char* A, const char* B) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K"), warps = warps_along(block);
    return {kernel + "<" + std::to_string(warps) + ">", {pieces(N, 16 * warps), pieces(M, 16 * warps)}, block, 0, {A, B, "C", M, N, K}};
}

KernelPlan naive(const Problem& problem, Dim3 block) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    return {{}, {{"matmul_half_naive", {pieces(N, block.x), pieces(M, block.y)}, block, 0, {"A", "B", "C", M, N, K}}}};
}

/// Both inputs are rounded first.
KernelPlan wmma_bf16(const Problem& problem, Dim3 block) {
    const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
    const auto to_bf16 = [](const char* x, const char* y, std::int64_t n) {
        return KernelStep{"matmul_half_to_bf16", {pieces(n, 256)}, {256}, 0, {x, y, static_cast<int>(n)}};
    };
    return {{{.name = "A_bf16", .type = ElementType::bf16, .sizes = {M, K}, .fill = KernelBuffer::Fill::garbage},
             {.name = "B_bf16", .type = ElementType::bf16, .sizes = {K, N}, .fill = KernelBuffer::Fill::garbage}},
            {to_bf16("A", "A_bf16", M * K), to_bf16("B", "B_bf16", K * N),
             product("matmul_half_wmma_bf16", problem, block, "A_bf16", "B_bf16")}};
}

/// Products of halves are exact in fp32; each of K sums is rounded, or cut off as tensor cores do, by up to 2⁻²³, which is at most
/// 1.5e-5 for K = 128 where no sum cancels, and about √K · 2⁻²³ = 1.3e-6 in a norm over several.
constexpr double tolerance = 1.5e-5;

/// Each input is off by up to 2⁻⁸, by 2⁻⁸ / √6 in the root of mean squares; so a product is off by 2⁻⁸ / √3 = 2.3e-3, and a sum of
/// products that do not cancel as much. The rest is for a C of seven elements (of one alone a sum may cancel to any degree).
constexpr double bf16_tolerance = 1e-2;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matmul_half",
                  .title = "Matrix product of halves",
                  .sizes = {{"M", 128, {1, 17, 31, 100}}, {"N", 128, {7, 33, 100}}, {"K", 128, {1, 15, 33, 100}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .type = ElementType::f16, .sizes = {M, K}},
                {.name = "B", .type = ElementType::f16, .sizes = {K, N}},
                {.name = "C", .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_naive", "One thread computes one element", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, naive,
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"B", load, sectors_per_request, 2}, {"C", store, sectors_per_request, 4}}},
        {"2_wmma", "Tensor cores", {{32, 4}, {32, 1}, {32, 16}},
         [](const Problem& problem, Dim3 block) { return KernelPlan{{}, {product("matmul_half_wmma", problem, block, "A", "B")}}; },
         tolerance, 75, {{"A", load, sectors_per_request, 2}, {"B", load, sectors_per_request, 2}, {"C", store, sectors_per_request, 4},
                         {"a_tile", store, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1},
                         {"c_tile", load, wavefronts_per_request, 1}}},
        {"3_wmma_bf16", "Tensor cores with bf16", {{32, 4}, {32, 1}, {32, 16}}, wmma_bf16,
         bf16_tolerance, 80, {{"A", load, sectors_per_request, 2}, {"B", load, sectors_per_request, 2},
                              {"A_bf16", store, sectors_per_request, 2}, {"B_bf16", store, sectors_per_request, 2},
                              {"A_bf16", load, sectors_per_request, 2}, {"B_bf16", load, sectors_per_request, 2},
                              {"C", store, sectors_per_request, 4},
                              {"a_tile", store, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1},
                              {"c_tile", load, wavefronts_per_request, 1}}},
        {"4_mma", "The instructions under wmma", {{32, 4}, {32, 1}, {32, 16}},
         [](const Problem& problem, Dim3 block) { return KernelPlan{{}, {product("matmul_half_mma", problem, block, "A", "B")}}; },
         tolerance, 80, {{"A", load, sectors_per_request, 2}, {"B", load, sectors_per_request, 2}, {"C", store, sectors_per_request, 8},
                         {"a_tile", load, wavefronts_per_request, 4}, {"b_tile", load, wavefronts_per_request, 4},
                         {"a_tile", store, wavefronts_per_request, 1}, {"b_tile", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::matmul_half
