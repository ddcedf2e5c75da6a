#include "engine/kernels/matmul_int8_scaled/ladder.hpp"

namespace gradus::matmul_int8_scaled {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan two_launches(const Problem& problem, Dim3 block) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    const Dim3 grid{pieces(N, block.x), pieces(M, block.y)};
    return {{{.name = "sums", .type = ElementType::i32, .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage}},
            {{"matmul_int8_scaled_sums", grid, block, 0, {"A", "B", "sums", M, N, K}},
             {"matmul_int8_scaled_scale", grid, block, 0, {"sums", "row_scale", "column_scale", "C", M, N}}}};
}

KernelPlan fused(const Problem& problem, Dim3 block) {
    const int M = dim(problem, "M"), N = dim(problem, "N"), K = dim(problem, "K");
    const Dim3 grid{pieces(N, block.x), pieces(M, block.y)};
    return {{}, {{"matmul_int8_scaled_fused", grid, block, 0, {"A", "B", "row_scale", "column_scale", "C", M, N, K}}}};
}

/// The sum is exact, in fp32 too up to K = 1024 (1024 · 128² = 2²⁴); then two products, each rounded by up to 2⁻²⁴:
/// 1.2e-7, and 2⁻²⁴ more if what it is compared with is rounded as well.
constexpr double tolerance = 1.8e-7;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "matmul_int8_scaled",
                  .title = "Scaled product of int8 matrices",
                  .sizes = {{"M", 64, {1, 31, 50}}, {"N", 128, {1, 33, 100}}, {"K", 256, {1, 31, 100, 130}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t M = problem.at("M"), N = problem.at("N"), K = problem.at("K");
        return {{.name = "A", .type = ElementType::i8, .sizes = {M, K}, .scale = 40},
                {.name = "B", .type = ElementType::i8, .sizes = {N, K}, .scale = 40},
                {.name = "row_scale", .sizes = {M}, .fill = KernelBuffer::Fill::uniform, .scale = 0.1},
                {.name = "column_scale", .sizes = {N}, .fill = KernelBuffer::Fill::uniform, .scale = 0.01},
                {.name = "C", .sizes = {M, N}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    ladder.rungs = {
        {"1_two_launches", "Product and scaling in two launches", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, two_launches,
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"B", load, sectors_per_request, 32},
                         {"sums", store, sectors_per_request, 4}, {"sums", load, sectors_per_request, 4},
                         {"row_scale", load, sectors_per_request, 1}, {"column_scale", load, sectors_per_request, 4},
                         {"C", store, sectors_per_request, 4}}},
        {"2_fused", "Scaled before it is written", {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {64, 4}}, fused,
         tolerance, 75, {{"A", load, sectors_per_request, 1}, {"B", load, sectors_per_request, 32},
                         {"row_scale", load, sectors_per_request, 1}, {"column_scale", load, sectors_per_request, 4},
                         {"C", store, sectors_per_request, 4}}},
    };
    return ladder;
}

} // namespace gradus::matmul_int8_scaled
