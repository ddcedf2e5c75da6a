#include "engine/kernels/layernorm_backward/ladder.hpp"

namespace gradus::layernorm_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan naive(const Problem& problem, Dim3 block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{},
            {{"layernorm_backward_naive_dx", {pieces(rows, block.x)}, block, 0, {"dy", "x", "mean", "rstd", "gamma", "dx", rows, columns}},
             {"layernorm_backward_naive_parameters", {pieces(columns, block.x)}, block, 0, {"dy", "x", "mean", "rstd", "dgamma", "dbeta", rows, columns}}}};
}

KernelPlan warps(const Problem& problem, Dim3 block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    constexpr int rows_per_warp = 8; // the more, the fewer rows of parts there are to add up
    const int blocks = pieces(rows, rows_per_warp * block.y);
    const auto parts = [&](const char* name) { return KernelBuffer{.name = name, .sizes = {blocks, columns}, .fill = KernelBuffer::Fill::garbage}; };
    return {{parts("dgamma_parts"), parts("dbeta_parts")},
            {{"layernorm_backward_warp", {blocks}, block, std::int64_t{8} * block.y * columns,
              {"dy", "x", "mean", "rstd", "gamma", "dx", "dgamma_parts", "dbeta_parts", rows, columns}},
             {"layernorm_backward_warp_parameters", {pieces(columns, 128)}, {128}, 0, {"dgamma_parts", "dbeta_parts", "dgamma", "dbeta", blocks, columns}}}};
}

/// Chains of up to 512 roundings, which add up like a random walk to about √512 · 2⁻²⁴ = 1.4e-6; the rest is for a dx or dbeta of few
/// elements, whose sums may nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "layernorm_backward",
                  .title = "Gradients of layer normalisation",
                  .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 512, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        // mean and rstd are about what they would be of such an x; the formulas hold for any.
        return {{.name = "dy", .sizes = {rows, columns}},
                {.name = "x", .sizes = {rows, columns}},
                {.name = "mean", .sizes = {rows}, .scale = 0.05},
                {.name = "rstd", .sizes = {rows}, .fill = KernelBuffer::Fill::uniform, .scale = 2},
                {.name = "gamma", .sizes = {columns}},
                {.name = "dx", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "dgamma", .sizes = {columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "dbeta", .sizes = {columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    // In rung 1 rows are 256 / 32 warps, columns 512 / 32; mean is loaded once by each of 8 warps, 4 sectors, and 256 times by each of 16, 1.
    constexpr double by_both = 68. / 3, of_rows = (8 * 4 + 16 * 256 * 1) / (8. + 16 * 256);
    ladder.rungs = {
        {"1_naive", "A thread for each row, and one for each column", {{128}, {32}, {64}, {256}, {1024}}, naive,
         tolerance, 75, {{"dy", load, sectors_per_request, by_both}, {"x", load, sectors_per_request, by_both}, {"gamma", load, sectors_per_request, 1},
                         {"mean", load, sectors_per_request, of_rows}, {"rstd", load, sectors_per_request, of_rows}, {"dx", store, sectors_per_request, 32},
                         {"dgamma", store, sectors_per_request, 4}, {"dbeta", store, sectors_per_request, 4}}},
        {"2_warp", "Both sums from one reading of the rows", {{32, 4}, {32, 1}, {32, 2}, {32, 8}}, warps,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 4},
                         {"mean", load, sectors_per_request, 1}, {"rstd", load, sectors_per_request, 1}, {"dx", store, sectors_per_request, 4},
                         {"dgamma_parts", store, sectors_per_request, 4}, {"dgamma_parts", load, sectors_per_request, 4},
                         {"dbeta_parts", store, sectors_per_request, 4}, {"dbeta_parts", load, sectors_per_request, 4},
                         {"dgamma", store, sectors_per_request, 4}, {"dbeta", store, sectors_per_request, 4},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::layernorm_backward
