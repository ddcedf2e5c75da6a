#include "engine/kernels/rmsnorm_backward/ladder.hpp"

namespace gradus::rmsnorm_backward {

namespace {

using enum Expected::Access;
using enum Expected::Counter;

int dim(const Problem& problem, const char* name) { return static_cast<int>(problem.at(name)); }

KernelPlan naive(const Problem& problem, Dim3 block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    return {{},
            {{"rmsnorm_backward_naive_dx", {pieces(rows, block.x)}, block, 0, {"dy", "x", "rrms", "gamma", "dx", rows, columns}},
             {"rmsnorm_backward_naive_dgamma", {pieces(columns, block.x)}, block, 0, {"dy", "x", "rrms", "dgamma", rows, columns}}}};
}

KernelPlan warps(const Problem& problem, Dim3 block) {
    const int rows = dim(problem, "rows"), columns = dim(problem, "columns");
    constexpr int rows_per_warp = 8; // the more, the fewer rows of parts there are to add up
    const int blocks = pieces(rows, rows_per_warp * block.y);
    return {{{.name = "dgamma_parts", .sizes = {blocks, columns}, .fill = KernelBuffer::Fill::garbage}},
            {{"rmsnorm_backward_warp", {blocks}, block, std::int64_t{4} * block.y * columns,
              {"dy", "x", "rrms", "gamma", "dx", "dgamma_parts", rows, columns}},
             {"rmsnorm_backward_warp_dgamma", {pieces(columns, 128)}, {128}, 0, {"dgamma_parts", "dgamma", blocks, columns}}}};
}

/// Chains of up to 512 roundings, which add up like a random walk to about √512 · 2⁻²⁴ = 1.4e-6; the rest is for a dx of few elements,
/// in which two numbers nearly cancel.
constexpr double tolerance = 1e-5;

} // namespace

Ladder ladder() {
    Ladder ladder{.id = "rmsnorm_backward",
                  .title = "Gradients of normalisation by the root mean square",
                  .sizes = {{"rows", 256, {1, 7, 33, 100}}, {"columns", 512, {1, 31, 100, 515}}}};
    ladder.buffers = [](const Problem& problem) -> std::vector<KernelBuffer> {
        const std::int64_t rows = problem.at("rows"), columns = problem.at("columns");
        // rrms is about what it would be of such an x; the formulas hold for any.
        return {{.name = "dy", .sizes = {rows, columns}},
                {.name = "x", .sizes = {rows, columns}},
                {.name = "rrms", .sizes = {rows}, .fill = KernelBuffer::Fill::uniform, .scale = 2},
                {.name = "gamma", .sizes = {columns}},
                {.name = "dx", .sizes = {rows, columns}, .fill = KernelBuffer::Fill::garbage, .output = true},
                {.name = "dgamma", .sizes = {columns}, .fill = KernelBuffer::Fill::garbage, .output = true}};
    };
    ladder.reference = reference;
    // In rung 1 rows are 256 / 32 warps, columns 512 / 32; rrms is loaded once by each of 8 warps, 4 sectors, and 256 times by each of 16, 1.
    constexpr double by_both = 68. / 3, of_rows = (8 * 4 + 16 * 256 * 1) / (8. + 16 * 256);
    ladder.rungs = {
        {"1_naive", "A thread for each row, and one for each column", {{128}, {32}, {64}, {256}, {1024}}, naive,
         tolerance, 75, {{"dy", load, sectors_per_request, by_both}, {"x", load, sectors_per_request, by_both}, {"gamma", load, sectors_per_request, 1},
                         {"rrms", load, sectors_per_request, of_rows}, {"dx", store, sectors_per_request, 32}, {"dgamma", store, sectors_per_request, 4}}},
        {"2_warp", "Both sums from one reading of the rows", {{32, 4}, {32, 1}, {32, 2}, {32, 8}}, warps,
         tolerance, 75, {{"dy", load, sectors_per_request, 4}, {"x", load, sectors_per_request, 4}, {"gamma", load, sectors_per_request, 4},
                         {"rrms", load, sectors_per_request, 1}, {"dx", store, sectors_per_request, 4},
                         {"dgamma_parts", store, sectors_per_request, 4}, {"dgamma_parts", load, sectors_per_request, 4}, {"dgamma", store, sectors_per_request, 4},
                         {"sums", load, wavefronts_per_request, 1}, {"sums", store, wavefronts_per_request, 1}}},
    };
    return ladder;
}

} // namespace gradus::rmsnorm_backward
